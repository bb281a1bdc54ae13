import { type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Actor } from '../../lib/audit/audit.ts'
import { LOOKUP_DEADLINE_MS, retryRead } from '../../lib/database/database-errors.ts'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Role } from '../../schemas/organizations/member.ts'
import type { Caller } from '../identity/caller.ts'
import { agentOf, type Identity, keyIdOf } from '../identity/identity.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { type Layer, policyOf, type StoredPolicy, toLayer } from './policy.ts'

/** What a policy is set on. */
export type PolicyTarget =
  | { readonly layer: 'organization' }
  | { readonly layer: 'role'; readonly subject: Role }
  | { readonly layer: 'agent' | 'key'; readonly subject: string }

/** Whom policies bind: a member, by role, and the agent and the key that they call with. */
export interface PolicyHolder {
  readonly role: Role
  readonly agentId: string | null
  readonly keyId: string | null
}

/** The holder of the policies of a call. */
export function policyHolder({ role }: Caller, identity: Identity): PolicyHolder {
  return { role, agentId: agentOf(identity)?.id ?? null, keyId: keyIdOf(identity) }
}

export interface Policies {
  /**
   * The policies that apply to a holder, from the outermost to the innermost, at a version of the organization's surface or a
   * later one. Throws if they cannot be read.
   */
  layersOf(orgId: string, version: number, holder: PolicyHolder): Promise<readonly Layer[]>
  /** The same if they are cached. */
  cachedLayersOf(orgId: string, version: number, holder: PolicyHolder): readonly Layer[] | undefined
  /** The policy of a target; undefined without one. */
  read(orgId: string, target: PolicyTarget): Promise<StoredPolicy | undefined>
  /**
   * Sets or (null) removes the policy of a target in the transaction of the handle, with an audit row of before and after. Throws
   * invalid_request for an account that the organization does not have, and for a policy beyond the limit of 500.
   */
  set(org: OrgDatabase, target: PolicyTarget, policy: StoredPolicy | null, by: Actor): Promise<void>
}

/** The maximum number of keys and of agents of one member that have a policy. */
const MAX_POLICIES = 500
/** The maximum size of a stored policy in characters, with the tools that its patterns match. */
const MAX_SIZE = 256 * 1024
/** The maximum number of holders that are remembered, as the texts that name them. */
const MAX_HOLDERS = 500_000
/** The maximum size of all cached policies, in characters. */
const MAX_CHARACTERS = 32 * 1024 * 1024

const NO_LAYERS: readonly Layer[] = []

/** What has a policy in an organization at a version of its surface. */
interface Bound {
  readonly version: number
  readonly targets: ReadonlySet<string>
}

export function createPolicies({ db, clock, audit }: Pick<Infrastructure, 'db' | 'clock' | 'audit'>): Policies {
  // Nearly all organizations and holders have none, which costs no more than a lookup here.
  const bound = new LRUCache<string, Bound>({
    maxSize: MAX_HOLDERS,
    sizeCalculation: ({ targets }) => 1 + targets.size,
  })
  const layers = new LRUCache<string, { layer: Layer; size: number }>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ size }) => size,
  })
  /** The running reads. After a change, all members of an organization need it at once. */
  const inFlight = new Map<string, Promise<Bound>>()

  function readBound(orgId: string, version: number): Promise<Bound> {
    const key = `${orgId} ${version}`
    const running = inFlight.get(key)
    if (running !== undefined) return running
    const query = forOrg(db, orgId).selectFrom('policies').select(['layer', 'subject'])
    const reading = retryRead(() => query.execute(), LOOKUP_DEADLINE_MS)
      .then(rows => {
        const read = { version, targets: new Set(rows.map(({ layer, subject }) => `${layer} ${subject}`)) }
        bound.set(orgId, read)
        return read
      })
      .finally(() => inFlight.delete(key))
    inFlight.set(key, reading)
    return reading
  }

  function cachedLayersOf(orgId: string, version: number, holder: PolicyHolder): readonly Layer[] | undefined {
    const known = bound.get(orgId)
    if (known?.version !== version) return undefined
    if (known.targets.size === 0) return NO_LAYERS
    const found: Layer[] = []
    for (const target of targetsOf(holder)) {
      if (!known.targets.has(target)) continue
      const cached = layers.get(`${orgId} ${version} ${target}`)
      if (cached === undefined) return undefined
      found.push(cached.layer)
    }
    return found.length === 0 ? NO_LAYERS : found
  }

  async function readLayers(orgId: string, version: number, holder: PolicyHolder): Promise<readonly Layer[]> {
    const query = forOrg(db, orgId)
      .selectFrom('policies')
      .where(sql<string>`policies.layer || ' ' || policies.subject`, 'in', targetsOf(holder))
      .select(['layer', 'subject', 'policy'])
    const rows = await retryRead(() => query.execute(), LOOKUP_DEADLINE_MS)
    const read = new Map<string, Layer>()
    for (const { layer: kind, subject, policy } of rows) {
      const [target, layer] = [`${kind} ${subject}`, toLayer(kind, policy as StoredPolicy)]
      read.set(target, layer)
      layers.set(`${orgId} ${version} ${target}`, { layer, size: JSON.stringify(policy).length })
    }
    return targetsOf(holder).flatMap(target => read.get(target) ?? [])
  }

  return {
    cachedLayersOf,

    async layersOf(orgId, version, holder) {
      const known = cachedLayersOf(orgId, version, holder)
      if (known !== undefined) return known
      if (bound.get(orgId)?.version !== version) await readBound(orgId, version)
      return cachedLayersOf(orgId, version, holder) ?? readLayers(orgId, version, holder)
    },

    async read(orgId, target) {
      const row = await rowOf(forOrg(db, orgId), target).select('policy').executeTakeFirst()
      return row?.policy as StoredPolicy | undefined
    },

    async set(org, target, policy, by) {
      const { layer } = target
      const subject = subjectOf(target)
      const row = await rowOf(org, target).select('policy').executeTakeFirst()
      const before = row === undefined ? null : (row.policy as StoredPolicy)
      if (policy === null) {
        if (before === null) return
        await org.deleteFrom('policies').where('layer', '=', layer).where('subject', '=', subject).execute()
      } else {
        if (before === null) await requireRoom(org, target)
        await requireAccounts(org, policy, { by, before })
        const values = { policy: JSON.stringify(policy), updated_at: new Date(clock.now()) }
        if (values.policy.length > MAX_SIZE) throw tooLarge()
        await org
          .insertInto('policies', { layer, subject, ...values })
          .onConflict(conflict => conflict.columns(['org_id', 'layer', 'subject']).doUpdateSet(values))
          .execute()
      }
      const action = policy === null ? 'policy.remove' : 'policy.set'
      await audit.record(org, {
        by,
        action,
        target: subject || org.orgId,
        detail: { layer, policy: policy && policyOf(policy), before: before && policyOf(before) },
      })
    },
  }
}

/** What can have a policy that applies to a holder, from the outermost to the innermost. */
function targetsOf({ role, agentId, keyId }: PolicyHolder): string[] {
  return [
    'organization ',
    `role ${role}`,
    ...(agentId === null ? [] : [`agent ${agentId}`]),
    ...(keyId === null ? [] : [`key ${keyId}`]),
  ]
}

/** The policy of each row, as a column of a query of agents or keys. */
export function policyColumn(
  db: Kysely<Database>,
  { orgId, layer, id }: { orgId: string; layer: 'agent' | 'key'; id: 'agents.id' | 'api_keys.id' },
) {
  return forOrg(db, orgId)
    .selectFrom('policies')
    .where('policies.layer', '=', layer)
    .where(sql<boolean>`policies.subject = ${sql.ref(id)}`)
    .select(sql<StoredPolicy | null>`policies.policy`.as('policy'))
    .as('policy')
}

function subjectOf(target: PolicyTarget): string {
  return target.layer === 'organization' ? '' : target.subject
}

function rowOf(org: OrgDatabase, target: PolicyTarget) {
  return org.selectFrom('policies').where('layer', '=', target.layer).where('subject', '=', subjectOf(target))
}

/** Throws invalid_request for an account that the actor cannot see, unless the policy had it before. */
async function requireAccounts(
  org: OrgDatabase,
  { accounts = [] }: StoredPolicy,
  { by, before }: { by: Actor; before: StoredPolicy | null },
): Promise<void> {
  const added = accounts.filter(id => before?.accounts?.includes(id) !== true)
  if (added.length === 0) return
  const rows = await org
    .selectFrom('accounts')
    .where('id', 'in', added)
    .$if(typeof by !== 'string', query =>
      query.where(eb => eb.or([eb('scope', '=', 'shared'), eb('user_id', '=', (by as { userId: string }).userId)])),
    )
    .select('id')
    .execute()
  const known = new Set(rows.map(({ id }) => id))
  const index = accounts.findIndex(id => added.includes(id) && !known.has(id))
  if (index !== -1)
    throw new GatewayError(
      'invalid_request',
      `\`accounts[${index}]\` ${JSON.stringify(accounts[index])} is not one of your accounts. Use the \`id\` of an account from GET /connectors.`,
    )
}

function tooLarge(): GatewayError {
  return new GatewayError(
    'invalid_request',
    `A policy can have ${MAX_SIZE} characters together with the tools that its patterns match. Use fewer rules, or names of servers instead of patterns.`,
  )
}

/**
 * Throws invalid_request if too many keys or agents of the same member have a policy. Those of revoked keys and retired agents do
 * not count: nothing makes them valid again.
 */
async function requireRoom(org: OrgDatabase, target: PolicyTarget): Promise<void> {
  if (target.layer === 'organization' || target.layer === 'role') return
  const { layer, subject } = target
  const withPolicy = org.selectFrom('policies').where('layer', '=', layer).select('subject')
  const count = sql<number>`count(*)::int`.as('count')
  const ofOwner =
    layer === 'key'
      ? org
          .selectFrom('api_keys')
          .where('revoked_at', 'is', null)
          .where('user_id', '=', org.selectFrom('api_keys').where('id', '=', subject).select('user_id'))
          .where('id', 'in', withPolicy)
          .select(count)
      : org
          .selectFrom('agents')
          .where('status', '!=', 'retired')
          .where('owner_id', '=', org.selectFrom('agents').where('id', '=', subject).select('owner_id'))
          .where('id', 'in', withPolicy)
          .select(count)
  const { count: others } = await ofOwner.executeTakeFirstOrThrow()
  if (others >= MAX_POLICIES)
    throw new GatewayError(
      'invalid_request',
      `${MAX_POLICIES} ${layer}s of one member can have a policy. Remove the policy of one that is no longer used, or revoke it.`,
    )
}
