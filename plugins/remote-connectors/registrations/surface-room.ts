import { LRUCache } from 'lru-cache'
import type { OrgDatabase } from '../../database/tenant.ts'
import { createTurn } from '../../process/turn.ts'
import { remoteToolEntry } from '../calls/remote-tool.ts'
import type { Registration } from '../registration.ts'
import type { StoredSnapshot } from '../snapshots/snapshot.ts'
import {
  inWords,
  isBeyondBound,
  isSmaller,
  SURFACE_BOUND,
  type ToolSizes,
  toolsLeftOut,
} from '../snapshots/surface-bound.ts'
import { readRegistrations } from './registration-rows.ts'
import type { SnapshotRows } from './snapshot-rows.ts'

/** What of an organization's surface its registered servers take, and whether there is room for more. */
export interface SurfaceRoom {
  /** The sizes of a snapshot's tools in the list; kept under the snapshot's id. */
  measure(registration: Registration, snapshot: Pick<StoredSnapshot, 'id' | 'tools'>): Promise<ToolSizes>
  /** How many tools of each of an organization's registrations, which are all of them, the list leaves out, by id. */
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
  const measured = new LRUCache<string, ToolSizes>({ max: MAX_MEASURED })
  const keyOf = (orgId: string, snapshotId: string) => `${orgId} ${snapshotId}`

  async function measure(
    registration: Registration,
    { id, tools }: Pick<StoredSnapshot, 'id' | 'tools'>,
  ): Promise<ToolSizes> {
    const key = keyOf(registration.orgId, id)
    const known = measured.get(key)
    if (known !== undefined) return known
    const sizes = new Uint32Array(tools.length)
    const turn = createTurn()
    for (const [i, tool] of tools.entries()) {
      sizes[i] = Buffer.byteLength(JSON.stringify(remoteToolEntry(registration, tool)))
      await turn()
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

  async function isBeyond(org: OrgDatabase, { id }: Registration, own: ToolSizes): Promise<boolean> {
    const others = (await readRegistrations(org)).filter(other => other.id !== id && !other.hidden)
    const sizes = await sizesOf(org, others)
    return isBeyondBound([own, ...sizes.values()])
  }

  return {
    measure,

    async leftOut(org, registrations) {
      return toolsLeftOut(registrations, await sizesOf(org, registrations))
    },

    async refusal(org, registration, own) {
      const { id, name, hidden } = registration
      if (hidden || !(await isBeyond(org, registration, own))) return undefined
      // A surface from before the bound may exceed it. A snapshot that makes it smaller is welcome.
      const before = (await sizesOf(org, [registration])).get(id)
      if (before !== undefined && isSmaller(own, before)) return undefined
      return `The tools of ${name} (${inWords(own)}) do not fit into your organization's tool list, which is limited to ${SURFACE_BOUND}. Remove or hide another registered server, then refresh ${name}.`
    },

    async refusalToShow(org, registration) {
      const { id, name } = registration
      const own = (await sizesOf(org, [registration])).get(id)
      if (own === undefined || !(await isBeyond(org, registration, own))) return undefined
      return `The tools of ${name} (${inWords(own)}) do not fit into the organization's tool list, which is limited to ${SURFACE_BOUND}. Remove or hide another registered server, then show ${name}.`
    },
  }
}
