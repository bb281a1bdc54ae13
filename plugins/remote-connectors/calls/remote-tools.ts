import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { LRUCache } from 'lru-cache'
import type { Logger } from '../../../schemas/log.ts'
import { remoteCapability } from '../../../schemas/remote-names.ts'
import type { Clock } from '../../../schemas/time.ts'
import type { UpstreamTools } from '../../tool-registry/organization-tools.ts'
import type { RegisteredTool } from '../../tool-registry/registered-tool.ts'
import type { Vault } from '../../vault/vault.ts'
import { withheldBy } from '../obstacle.ts'
import type { RemoteConnector, RemoteConnectors } from '../remote-connectors.ts'
import type { PinnedValidators } from '../snapshots/pinned-validators.ts'
import type { PinnedTool, StoredSnapshot } from '../snapshots/snapshot.ts'
import { createCallRemoteTool } from './call-remote-tool.ts'
import { explainRemoteTool } from './explain-remote-tool.ts'
import type { RemoteCaller } from './remote-caller.ts'
import { remoteTool, remoteToolEntry, remoteToolName } from './remote-tool.ts'
import { createRequestStates } from './request-state.ts'

export interface RemoteToolsOptions {
  remotes: Pick<RemoteConnectors, 'list'>
  remoteCaller: Pick<RemoteCaller, 'callTool'>
  validators: PinnedValidators
  vault: Pick<Vault, 'seal' | 'open'>
  clock: Clock
  log: Pick<Logger, 'warn'>
}

/** A pinned tool with its wire entry, and that as JSON. */
interface PinnedEntry {
  readonly tool: PinnedTool
  readonly entry: Tool
  readonly json: string
}

/** Characters of entries that are kept. */
const MAX_CHARACTERS = 32 * 1024 * 1024
/** How long entries are written before others have their turn. */
const TURN_MS = 4

export function createRemoteTools(options: RemoteToolsOptions): UpstreamTools {
  const { remotes, remoteCaller, validators, vault, clock, log } = options
  const requestStates = createRequestStates({ vault, clock })
  const call = createCallRemoteTool({ remoteCaller, requestStates, log })
  const written = new LRUCache<string, readonly PinnedEntry[]>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (entries, key) => entries.reduce((sum, { json }) => sum + json.length, key.length),
  })

  async function entriesOf(
    { registration }: RemoteConnector,
    { id, tools }: StoredSnapshot,
  ): Promise<readonly PinnedEntry[]> {
    const { orgId, id: remoteId, slug, name } = registration
    const key = JSON.stringify([orgId, remoteId, id, slug, name])
    const known = written.get(key)
    if (known !== undefined) return known
    const entries: PinnedEntry[] = []
    let turn = performance.now()
    for (const tool of tools) {
      const entry = remoteToolEntry(registration, tool)
      entries.push({ tool, entry, json: JSON.stringify(entry) })
      if (performance.now() - turn < TURN_MS) continue
      await nextTurn()
      turn = performance.now()
    }
    written.set(key, entries)
    return entries
  }

  async function toolsOf(remote: RemoteConnector): Promise<RegisteredTool[]> {
    const { registration, account, snapshot } = remote
    if (snapshot === undefined || withheldBy(remote) !== undefined) return []
    // All that a call depends on is part of the digest, the organization with it: tools of one digest are one object,
    // whoever sees them.
    const revision = hash('sha256', JSON.stringify([registration, account, snapshot.id]), 'base64url')
    const entries = await entriesOf(remote, snapshot)
    return entries.map(({ tool, entry, json }) => ({
      tool: remoteTool(remote, tool, { entry, validators, call }),
      json: () => json,
      digest: `${revision} ${entry.name}`,
    }))
  }

  return {
    async of(orgId) {
      const tools = await Promise.all((await remotes.list(orgId)).map(toolsOf))
      return tools.flat()
    },

    async names(orgId) {
      const all = await remotes.list(orgId)
      return new Map(
        all.map(({ registration, snapshot }) => [
          remoteCapability(registration.slug),
          (snapshot?.tools ?? []).map(tool => remoteToolName(registration, tool)),
        ]),
      )
    },

    async explain(orgId, name) {
      return explainRemoteTool(await remotes.list(orgId), name)
    },
  }
}
