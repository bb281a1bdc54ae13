const KEY = 'dashboard-draft'

/** What the user typed, by the path of an argument. */
type Texts = Readonly<Record<string, string>>

interface Draft {
  userId: string
  tool: string
}

/**
 * Keeps what the user typed for a call that has not succeeded yet, in this tab: they may have to leave for the provider, or to
 * sign in again, before they repeat it.
 */
export function keepDraft({ userId, tool }: Draft, texts: Texts): void {
  sessionStorage.setItem(KEY, JSON.stringify({ userId, tool, texts }))
}

/** Forgets the draft: the call succeeded, or the user signs out. */
export function forgetDraft(): void {
  sessionStorage.removeItem(KEY)
}

/** What the same user typed for the same tool; nothing for any other. */
export function readDraft({ userId, tool }: Draft): Texts {
  const draft = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<Draft & { texts: Texts }>
  return draft.userId === userId && draft.tool === tool ? (draft.texts ?? {}) : {}
}
