import type { ToolClass } from '../../../schemas/remotes/overrides.ts'
import type { RemoteConnectorEntry, RemoteConnectorRead, RemoteToolRecord } from '../../../schemas/remotes/remote.ts'
import { CONNECTORS_URL } from './connectors.ts'
import { TOOLS_KEY } from './mcp.ts'
import { useGet } from './queries.ts'

/** The URL of the organization's registered servers. */
export const REMOTES_URL = `${CONNECTORS_URL}/org`

/** The URL of a registered server. */
export const remoteUrl = (slug: string) => `${REMOTES_URL}/${encodeURIComponent(slug)}`

/** The page of a registered server. */
export const remotePath = (slug: string) => `/connectors/org/${encodeURIComponent(slug)}`

/** What a change of a registered server changes. */
export const REMOTE_CHANGES = [CONNECTORS_URL, TOOLS_KEY]

/** A registered server with its tools. */
export function useRemote(slug: string) {
  return useGet<RemoteConnectorRead>(remoteUrl(slug))
}

/** What waits for an admin. */
export type Pending = NonNullable<RemoteConnectorRead['remote']['pending']>

/** All that waits as the server publishes it, by what it is in a change and its name at the gateway. */
export function pendingRecords(pending: Pending): ReadonlyMap<string, object> {
  const { tools = [], resources = [], resource_templates = [], prompts = [] } = pending
  return new Map<string, object>([
    ...tools.map(tool => [`tool ${tool.name}`, tool] as const),
    ...resources.map(resource => [`resource ${resource.uri}`, resource] as const),
    ...resource_templates.map(template => [`resource_template ${template.uri_template}`, template] as const),
    ...prompts.map(prompt => [`prompt ${prompt.name}`, prompt] as const),
  ])
}

type Remote = Pick<RemoteConnectorEntry, 'remote'>

/** Whether each member has a credential of their own at the server. */
export const isPerMember = ({ remote }: Remote) => remote.credential?.per === 'member'

/** The host of a registered server, for the words of buttons. */
export const hostOf = ({ remote }: Remote) => new URL(remote.upstream_url).host

/** The words for what a call of a tool does. */
export const CLASSES: Readonly<Record<ToolClass, string>> = {
  read: 'Only reads',
  write: 'Changes data',
  destructive: 'May delete',
}

/** What a server says that a tool does; undefined if it says nothing. Nobody has verified it. */
export function claimedClass({ annotations = {} }: Pick<RemoteToolRecord, 'annotations'>): ToolClass | undefined {
  const { readOnlyHint, destructiveHint } = annotations
  if (readOnlyHint === true) return 'read'
  if (destructiveHint === true) return 'destructive'
  return destructiveHint === false ? 'write' : undefined
}
