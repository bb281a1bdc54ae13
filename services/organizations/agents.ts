import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Kysely } from 'kysely'
import type { Actor } from '../../lib/audit/audit.ts'
import type { AgentStatus } from '../../lib/database/organization-tables.ts'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Jobs } from '../../lib/jobs/jobs.ts'
import { readPage } from '../../lib/pages/pages.ts'
import { isId } from '../../schemas/primitives/ids.ts'
import type { PageRequest } from '../../schemas/primitives/page.ts'
import type { SignIn } from '../identity/identity.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import { type Policies, policyColumn } from '../policies/policies.ts'
import type { StoredPolicy } from '../policies/policy.ts'
import { type AgentUpdate, applyUpdate, requireOwnerChoice, type StoredAgent } from './agent-changes.ts'
import { requireOwn } from './authority.ts'
import { type Change, changeIn, changeOf } from './change.ts'
import { revokeKeys } from './key-queries.ts'
import { requireMember, requireOrganization, requireVisibleName } from './requirements.ts'

/** The maximum number of agents of a member, without retired ones. The operator has no limit. */
const MAX_AGENTS = 100

/** An agent in the list of an organization. */
export interface ListedAgent {
  id: string
  name: string
  ownerId: string
  status: AgentStatus
  /** True if the agent is suspended because its owner left. */
  orphaned: boolean
  createdAt: Date
  /** The issuers and subjects whose tokens are the agent's. */
  signIns: AgentSignIn[]
  policy: StoredPolicy | null
}

/** A sign-in of an agent. */
interface AgentSignIn extends SignIn {
  id: string
  createdAt: Date
}

/**
 * The agents of organizations; API keys belong to a member or to an agent. Throws invalid_request if a change does not fit
 * the agent's state, not_found for an unknown agent and for a member another's, and admin_required for a member who chooses
 * another owner.
 */
export interface Agents {
  /** Creates an agent that a member owns. Throws invalid_request for a user who is not a member, and above the limit. */
  create(agent: { orgId: string; ownerId: string; name: string; by: Actor }): Promise<{ id: string }>
  /** Makes several changes at once, in this order: the owner as `assign`, the status as `setStatus`, the name. */
  update(id: string, update: AgentUpdate, change: Change): Promise<void>
  /** Suspends or resumes an agent. Resuming fails while the owner is not a member; use `assign` then. */
  setStatus(id: string, status: 'active' | 'suspended', change: Change): Promise<void>
  /** Retires an agent permanently. Its keys are revoked within 60 s. */
  retire(id: string, change: Change): Promise<void>
  /** Gives an agent and its keys to another member. Resumes it if it was suspended because its owner left. */
  assign(id: string, ownerId: string, change: Change): Promise<void>
  /** The agents of an organization, including retired ones, oldest first. */
  list(orgId: string): Promise<ListedAgent[]>
  /** A page of the agents of an organization, or of one owner, newest first. Throws invalid_request for a cursor of another list. */
  page(
    of: { orgId: string; ownerId: string | undefined },
    page: PageRequest,
  ): Promise<{ rows: ListedAgent[]; nextCursor: string | null }>
  find(orgId: string, id: string): Promise<ListedAgent | undefined>
}

interface AgentsOptions extends Pick<Infrastructure, 'db' | 'clock' | 'ids' | 'audit' | 'jobs'> {
  commands: Pick<OperatorCommands, 'createAgent' | 'assignAgent'>
  policies: Pick<Policies, 'set'>
}

export function createAgents({ db, clock, ids, audit, jobs, commands, policies }: AgentsOptions): Agents {
  const revokeKeysLater = defineKeyRevocation(jobs, { db, clock, audit })

  /** Changes an agent that is not retired. */
  function changeAgent(
    id: string,
    { by }: Change,
    work: (org: OrgDatabase, agent: StoredAgent) => Promise<void>,
  ): Promise<void> {
    return changeOf(db, { table: 'agents', id, by }, async org => {
      const agent = await readAgent(org, id, by)
      if (agent.status === 'retired')
        throw new GatewayError(
          'invalid_request',
          `Agent ${id} is retired, which is permanent. Create another agent${by === 'operator' ? `: ${commands.createAgent(org.orgId)}` : '.'}`,
        )
      await work(org, agent)
    })
  }

  async function update(id: string, update: AgentUpdate, change: Change): Promise<void> {
    await changeAgent(id, change, (org, agent) =>
      applyUpdate(org, agent, { update, by: change.by, audit, commands, policies }),
    )
  }

  return {
    async create({ orgId, ownerId, name, by }) {
      requireVisibleName(name)
      const id = ids('agt')
      await changeIn(db, { orgId, by }, async org => {
        await requireOwnerChoice(org, by, ownerId)
        await requireMember(org, ownerId)
        if (typeof by !== 'string') await requireRoom(org, ownerId)
        await org
          .insertInto('agents', { id, owner_id: ownerId, name, status: 'active', created_at: new Date(clock.now()) })
          .execute()
        await audit.record(org, { by, action: 'agent.create', target: id, detail: { name, ownerId } })
      })
      return { id }
    },

    update,
    setStatus: (id, status, change) => update(id, { status }, change),
    assign: (id, ownerId, change) => update(id, { ownerId }, change),

    async retire(id, { by }) {
      await changeAgent(id, { by }, async org => {
        await org.updateTable('agents').where('id', '=', id).set({ status: 'retired', orphaned: false }).execute()
        await audit.record(org, { by, action: 'agent.retire', target: id, detail: {} })
        await revokeKeysLater(org, id)
      })
    },

    async list(orgId) {
      await requireOrganization(db, orgId)
      return withSignIns(db, orgId, await listed(db, orgId).orderBy('created_at').orderBy('id').execute())
    },

    async page({ orgId, ownerId }, page) {
      const query = listed(db, orgId).$if(ownerId !== undefined, all => all.where('owner_id', '=', ownerId ?? ''))
      const { rows, nextCursor } = await readPage(query, { list: 'agents', at: 'created_at', id: 'id' }, page)
      return { rows: await withSignIns(db, orgId, rows), nextCursor }
    },

    async find(orgId, id) {
      if (!isId('agt', id)) return undefined
      const [agent] = await withSignIns(db, orgId, await listed(db, orgId).where('id', '=', id).execute())
      return agent
    },
  }
}

/** Reads an agent that exists. Throws not_found for a member who does not own it. */
export async function readAgent(org: OrgDatabase, id: string, by: Actor): Promise<StoredAgent> {
  const agent = await org
    .selectFrom('agents')
    .where('id', '=', id)
    .select(['id', 'name', 'owner_id', 'status', 'orphaned'])
    .executeTakeFirstOrThrow()
  await requireOwn(org, by, agent.owner_id, () => unknownAgent(id))
  return agent
}

/** The error for an agent that does not exist, or that the caller may not see. */
export function unknownAgent(id: string): GatewayError {
  return new GatewayError('not_found', `There is no agent ${id}.`)
}

function listed(db: Kysely<Database>, orgId: string) {
  return forOrg(db, orgId)
    .selectFrom('agents')
    .select(['id', 'name', 'owner_id as ownerId', 'status', 'orphaned', 'created_at as createdAt'])
    .select(policyColumn(db, { orgId, layer: 'agent', id: 'agents.id' }))
}

/** The maximum number of agents per query, because the number of statement parameters is limited. */
const AT_ONCE = 10_000

/** Adds the sign-ins to agents of an organization. */
async function withSignIns<Row extends { id: string }>(
  db: Kysely<Database>,
  orgId: string,
  rows: Row[],
): Promise<(Row & { signIns: AgentSignIn[] })[]> {
  const found: (AgentSignIn & { agentId: string })[] = []
  for (let from = 0; from < rows.length; from += AT_ONCE)
    found.push(
      ...(await forOrg(db, orgId)
        .selectFrom('agent_sign_ins')
        .where(
          'agent_id',
          'in',
          rows.slice(from, from + AT_ONCE).map(({ id }) => id),
        )
        .orderBy('created_at')
        .orderBy('id')
        .select(['id', 'agent_id as agentId', 'issuer', 'subject', 'created_at as createdAt'])
        .execute()),
    )
  const ofAgents = Map.groupBy(found, ({ agentId }) => agentId)
  return rows.map(row => ({
    ...row,
    signIns: (ofAgents.get(row.id) ?? []).map(({ agentId: _agentId, ...signIn }) => signIn),
  }))
}

async function requireRoom(org: OrgDatabase, ownerId: string): Promise<void> {
  const { count } = await org
    .selectFrom('agents')
    .where('owner_id', '=', ownerId)
    .where('status', '!=', 'retired')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= MAX_AGENTS)
    throw new GatewayError(
      'invalid_request',
      `A member can have at most ${MAX_AGENTS} agents. Retire one that is no longer used.`,
    )
}

/** How long the keys of a retired agent still answer agent_retired, so that its operator sees why it stopped. */
const REVOKE_AFTER_MS = 30_000
const KIND = 'agent.revoke_keys'

const Payload = Type.Object({ orgId: Type.String(), agentId: Type.String() })

/** Schedules the revocation of an agent's keys, if the transaction of this handle commits. */
type RevokeLater = (org: OrgDatabase, agentId: string) => Promise<void>

/** Defines the job that revokes a retired agent's keys, and rejects its tokens. Returns the function that schedules it. */
function defineKeyRevocation(
  jobs: Jobs,
  { db, clock, audit }: Pick<Infrastructure, 'db' | 'clock' | 'audit'>,
): RevokeLater {
  jobs.define(KIND, async payload => {
    Value.Assert(Payload, payload)
    const { orgId, agentId } = payload
    await changeIn(db, { orgId, by: 'job' }, async org => {
      const at = new Date(clock.now())
      await revokeKeys(org, audit, eb => eb('agent_id', '=', agentId), { at, by: 'job', because: 'agent.retire' })
      // The rows stay: without them, the agent's tokens would create a user.
      await org
        .updateTable('agent_sign_ins')
        .where('agent_id', '=', agentId)
        .where('revoked_at', 'is', null)
        .set({ revoked_at: at })
        .execute()
    })
  })
  return (org, agentId) =>
    jobs.enqueue(org.db, {
      kind: KIND,
      payload: { orgId: org.orgId, agentId },
      runAt: new Date(clock.now() + REVOKE_AFTER_MS),
    })
}
