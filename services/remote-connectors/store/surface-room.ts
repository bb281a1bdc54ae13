import { LRUCache } from 'lru-cache'
import type { OrgDatabase } from '../../../lib/database/tenant.ts'
import { atMost } from '../../../lib/lru.ts'
import { createYield } from '../../../lib/process/event-loop.ts'
import { listingKey, servedTools } from '../overrides.ts'
import type { Registration } from '../registration.ts'
import type { StoredSnapshot } from '../snapshot.ts'
import { inWords, isBeyondBound, isSmaller, SURFACE_BOUND, type ToolSizes, toolsLeftOut } from '../surface-bound.ts'
import { toToolEntry } from '../to-tool-entry.ts'
import { readRegistrations } from './registration-rows.ts'
import type { SnapshotRows } from './snapshot-rows.ts'

/** How much room the registered servers of an organization take in its tool list, and whether there is more. */
export interface SurfaceRoom {
  /** The sizes of a snapshot's listed tools, cached by the snapshot's ID and what admins have set. */
  measure(registration: Registration, snapshot: Pick<StoredSnapshot, 'id' | 'tools'>): Promise<ToolSizes>
  /** The number of unlisted tools per registration ID. Takes all registrations of the organization. */
  leftOut(org: OrgDatabase, registrations: readonly Registration[]): Promise<ReadonlyMap<string, number>>
  /**
   * Why a snapshot of these sizes cannot be listed for a registration; undefined if it can. Call it in a transaction that
   * locks the organization's row, so that two concurrent snapshots cannot exceed the limit together.
   */
  refusal(org: OrgDatabase, registration: Registration, own: ToolSizes): Promise<string | undefined>
  /** Why the tools of a hidden registration cannot be shown again; undefined if they can. Needs the same transaction. */
  refusalToShow(org: OrgDatabase, registration: Registration): Promise<string | undefined>
}

/** How many snapshots' sizes are cached, at most 2 KB each. */
const MAX_MEASURED = 5_000

export function createSurfaceRoom({ snapshots }: { snapshots: Pick<SnapshotRows, 'read'> }): SurfaceRoom {
  const measured = new LRUCache<string, ToolSizes>(atMost(MAX_MEASURED))
  const keyOf = (registration: Registration, snapshotId: string) =>
    `${registration.orgId} ${snapshotId} ${listingKey(registration)}`

  async function measure(
    registration: Registration,
    { id, tools }: Pick<StoredSnapshot, 'id' | 'tools'>,
  ): Promise<ToolSizes> {
    const key = keyOf(registration, id)
    const known = measured.get(key)
    if (known !== undefined) return known
    const served = servedTools(registration, tools)
    const sizes = new Uint32Array(served.length)
    const yieldIfDue = createYield()
    for (const [i, tool] of served.entries()) {
      sizes[i] = Buffer.byteLength(JSON.stringify(toToolEntry(registration, tool)))
      await yieldIfDue()
    }
    measured.set(key, sizes)
    return sizes
  }

  async function sizesOf(
    org: OrgDatabase,
    registrations: readonly Registration[],
  ): Promise<ReadonlyMap<string, ToolSizes>> {
    const sizes = new Map<string, ToolSizes>()
    for (const registration of registrations) {
      const { id, snapshotId } = registration
      if (snapshotId === null) continue
      const known = measured.get(keyOf(registration, snapshotId))
      const snapshot = known === undefined && (await snapshots.read(org, [snapshotId])).get(snapshotId)
      const own = known ?? (snapshot && (await measure(registration, snapshot)))
      if (own) sizes.set(id, own)
    }
    return sizes
  }

  /** Why a snapshot of these sizes does not fit together with the other registrations; undefined if it does. */
  async function noRoom(
    org: OrgDatabase,
    { id, name }: Registration,
    own: ToolSizes,
    then: 'refresh' | 'show',
  ): Promise<string | undefined> {
    const listed = (await readRegistrations(org)).filter(other => other.id !== id && !other.hidden)
    const others = [...(await sizesOf(org, listed)).values()]
    if (!isBeyondBound([own, ...others])) return undefined
    return `The tools of ${name} (${inWords(own)}) do not fit into the organization's tool list. The list is limited to ${SURFACE_BOUND}; the other servers take ${inWords(...others)}. Remove another server, or ask the operator to hide one. Then ${then} ${name}.`
  }

  return {
    measure,

    async leftOut(org, registrations) {
      return toolsLeftOut(registrations, await sizesOf(org, registrations))
    },

    async refusal(org, registration, own) {
      const full = registration.hidden ? undefined : await noRoom(org, registration, own, 'refresh')
      if (full === undefined) return undefined
      // A tool list from before the limit existed may exceed it. Accept a snapshot that makes it smaller.
      const before = (await sizesOf(org, [registration])).get(registration.id)
      return before !== undefined && isSmaller(own, before) ? undefined : full
    },

    async refusalToShow(org, registration) {
      const own = (await sizesOf(org, [registration])).get(registration.id)
      return own && noRoom(org, registration, own, 'show')
    },
  }
}
