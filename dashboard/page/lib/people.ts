import type { AgentEntry } from '../../../schemas/organizations/agent.ts'
import type { Member } from '../../../schemas/organizations/member.ts'
import { useGet } from './queries.ts'
import { useSession } from './session.ts'

/** The largest page of a list: enough names for most organizations. Beyond it, IDs are shown. */
const MEMBERS = '/api/members?limit=200'
const AGENTS = '/api/agents?limit=200'

/** The members of the organization, and the name of each user. */
export function usePeople() {
  const { user } = useSession()
  const { data } = useGet<{ members: Member[] }>(MEMBERS)
  const members = data?.members ?? []
  const emails = new Map(members.map(({ user_id, email }) => [user_id, email]))
  function nameOf(userId: string): string {
    if (userId === user.id) return 'You'
    return emails.get(userId) ?? shortId(userId)
  }
  return { members, nameOf }
}

/** A name within a sentence. */
export const withinSentence = (name: string) => (name === 'You' ? 'you' : name)

/** The agents that the user sees, and the name of each. */
export function useAgents() {
  const { data } = useGet<{ agents: AgentEntry[] }>(AGENTS)
  const agents = data?.agents ?? []
  const names = new Map(agents.map(({ id, name }) => [id, name]))
  return { agents, agentName: (agentId: string) => names.get(agentId) ?? shortId(agentId) }
}

/** The beginning and the end of an ID, which is the part that differs. */
export function shortId(id: string): string {
  return id.length > 16 ? `${id.slice(0, id.indexOf('_') + 1)}…${id.slice(-6)}` : id
}
