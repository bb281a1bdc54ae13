import { LRUCache } from 'lru-cache'
import type { OrgDatabase } from '../../../lib/database/tenant.ts'
import { atMost } from '../../../lib/lru.ts'
import { createYield } from '../../../lib/process/event-loop.ts'
import { remoteToolEntry } from '../calls/remote-tool.ts'
import type { Registration } from '../registration.ts'
import type { StoredSnapshot } from '../snapshots/snapshot.ts'
import type { SnapshotRows } from '../snapshots/snapshot-rows.ts'
import {
  inWords,
  isBeyondBound,
  isSmaller,
  SURFACE_BOUND,
  type ToolSizes,
  toolsLeftOut,
} from '../snapshots/surface-bound.ts'
import { readRegistrations } from './registration-rows.ts'

/** What of an organization's surface its registered servers take, and whether there is room for more. */
export interface SurfaceRoom {
  /** The sizes of a snapshot's tools in the list; kept under the snapshot's id. */
  measure(registration: Registration, snapshot: Pick<StoredSnapshot, 'id' | 'tools'>): Promise<ToolSizes>
  /** The number of unlisted tools per registration ID. Takes all registrations of the organization. */
  leftOut(org: OrgDatabase, registrations: readonly Registration[]): Promise<ReadonlyMap<string, number>>
  /**
   * Why a snapshot of these sizes cannot be listed for a registration; undefined where it can. To be asked in a
   * transaction that holds the organization's row: two snapshots at once must not exceed the bound together.
   */
  refusal(org: OrgDatabase, registration: Registration, own: ToolSizes): Promise<string | undefined>
  /** Why the tools of a hidden registration cannot be shown again; undefined where they can. In such a transaction too. */
  refusalToShow(org: OrgDatabase, registration: Registration): Promise<string | undefined>
}

/** Snapshots whose sizes are kept: at most 2 KB each. */
const MAX_MEASURED = 5_000

export function createSurfaceRoom({ snapshots }: { snapshots: Pick<SnapshotRows, 'read'> }): SurfaceRoom {
  const measured = new LRUCache<string, ToolSizes>(atMost(MAX_MEASURED))
  const keyOf = (orgId: string, snapshotId: string) => `${orgId} ${snapshotId}`

  async function measure(
    registration: Registration,
    { id, tools }: Pick<StoredSnapshot, 'id' | 'tools'>,
  ): Promise<ToolSizes> {
    const key = keyOf(registration.orgId, id)
    const known = measured.get(key)
    if (known !== undefined) return known
    const sizes = new Uint32Array(tools.length)
    const yieldIfDue = createYield()
    for (const [i, tool] of tools.entries()) {
      sizes[i] = Buffer.byteLength(JSON.stringify(remoteToolEntry(registration, tool)))
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
      const known = measured.get(keyOf(org.orgId, snapshotId))
      const snapshot = known === undefined && (await snapshots.read(org, [snapshotId])).get(snapshotId)
      const own = known ?? (snapshot && (await measure(registration, snapshot)))
      if (own) sizes.set(id, own)
    }
    return sizes
  }

  /** Why a snapshot of these sizes has no room beside those of the other registrations; undefined where it has. */
  async function noRoom(
    org: OrgDatabase,
    { id, name }: Registration,
    own: ToolSizes,
    then: 'refresh' | 'show',
  ): Promise<string | undefined> {
    const listed = (await readRegistrations(org)).filter(other => other.id !== id && !other.hidden)
    const others = [...(await sizesOf(org, listed)).values()]
    if (!isBeyondBound([own, ...others])) return undefined
    return `The tools of ${name} (${inWords(own)}) do not fit into the organization's tool list. It is limited to ${SURFACE_BOUND}, and the other servers take ${inWords(...others)}. Remove another server, or have the operator hide one (remote hide). Then ${then} ${name}.`
  }

  return {
    measure,

    async leftOut(org, registrations) {
      return toolsLeftOut(registrations, await sizesOf(org, registrations))
    },

    async refusal(org, registration, own) {
      const full = registration.hidden ? undefined : await noRoom(org, registration, own, 'refresh')
      if (full === undefined) return undefined
      // A surface from before the bound may exceed it. A snapshot that makes it smaller is welcome.
      const before = (await sizesOf(org, [registration])).get(registration.id)
      return before !== undefined && isSmaller(own, before) ? undefined : full
    },

    async refusalToShow(org, registration) {
      const own = (await sizesOf(org, [registration])).get(registration.id)
      return own && noRoom(org, registration, own, 'show')
    },
  }
}
