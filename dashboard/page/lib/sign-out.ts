import { request } from './api.ts'
import { forgetDraft } from './draft.ts'

/** Ends this session, or all sessions of the user, here and at the authorization server. */
export async function endSession({ everywhere }: { everywhere: boolean }): Promise<void> {
  const { location: next } = await request<{ location: string | null }>('POST', '/api/sign-out', {
    body: { everywhere },
  })
  forgetDraft()
  localStorage.removeItem('dashboard-token')
  // A load of a new page: nothing of the session stays in memory.
  location.assign(next ?? '/sign-in')
}
