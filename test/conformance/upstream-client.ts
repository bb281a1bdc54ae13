import { parseAllowList } from '../../lib/egress/allow-list.ts'
import { createEgress } from '../../lib/egress/create-egress.ts'
import type { PinnedTool } from '../../services/remote-connectors/snapshot.ts'
import { takeSnapshot } from '../../services/remote-connectors/snapshots/pin/take-snapshot.ts'
import { createUpstreams } from '../../services/remote-connectors/upstream/create-upstreams.ts'
import type { UpstreamCall } from '../../services/remote-connectors/upstream/upstream.ts'
import { upstreamAccount } from './upstream-account.ts'

// The client for the conformance runner. It lists the tools of the server whose URL is the last argument, and calls each
// tool that would be published once. It authorizes itself if the server requires it.

/** The context of a scenario, in addition to the URL. */
interface RunnerContext {
  client_id?: string
  client_secret?: string
  private_key_pem?: string
  toolCalls?: { name: string; arguments: Record<string, unknown> }[]
}

const url = process.argv.at(-1) ?? ''
const context: RunnerContext = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')
const { client_id: clientId, client_secret: clientSecret, private_key_pem: privateKey } = context
const isForClient = process.env.MCP_CONFORMANCE_SCENARIO?.startsWith('auth/client-credentials-') === true

const egress = createEgress({ allow: parseAllowList([]), allowLoopback: true })
const serverInfo = { name: 'connector-gateway', version: '0' }
const upstreams = createUpstreams({
  egress,
  clock: { now: () => Date.now() },
  serverInfo,
  log: { warn() {} },
})
const target = { orgId: 'org_conformance', id: 'rem_conformance', url }
/** Long, because the scenarios do not test deadlines and the runner may answer late on a busy machine. */
const DEADLINE_MS = 120_000
const options = () => ({ signal: new AbortController().signal, deadlineMs: DEADLINE_MS })
const account = upstreamAccount({
  egress,
  url,
  given: { clientId, clientSecret, privateKey },
  clientInfo: serverInfo,
  grant: isForClient ? 'client_credentials' : 'authorization_code',
})

const listed = await account.send(credential => upstreams.listTools(target, credential, options()))
const { tools } = await takeSnapshot(listed, { capability: 'org__runner' })
for (const { name, arguments: args } of context.toolCalls ?? tools.map(callOf)) await call(name, args)
await upstreams.close()
await egress.close()

/** Calls a tool. If it asks for input, calls it again and accepts. */
async function call(name: string, args: Record<string, unknown>): Promise<void> {
  const inputSchema = tools.find(tool => tool.originalName === name)?.inputSchema ?? {}
  const clientCapabilities = { elicitation: { form: {} } }
  const request: UpstreamCall = { name, arguments: args, inputSchema, trace: {}, clientCapabilities }
  const ask = (more: Partial<UpstreamCall> = {}) =>
    account.send(credential => upstreams.callTool(target, credential, { ...request, ...more }, options()))
  const { inputRequests, requestState } = (await ask()) as { inputRequests?: object; requestState?: string }
  if (inputRequests === undefined) return
  const answers = Object.keys(inputRequests).map(key => [key, { action: 'accept', content: { confirmed: true } }])
  const inputResponses = Object.fromEntries(answers)
  await ask({ inputResponses, ...(requestState !== undefined && { requestState }) })
}

/** Returns a call with a value for every argument. Objects get the schema of the first tool, because one scenario checks it. */
function callOf({ originalName: name, inputSchema }: PinnedTool): {
  name: string
  arguments: Record<string, unknown>
} {
  const values: Record<string, unknown> = { number: 1, integer: 1, boolean: true, string: 'text' }
  const properties = Object.entries((inputSchema.properties ?? {}) as Record<string, { type?: string }>)
  return {
    name,
    arguments: Object.fromEntries(
      properties.map(([key, { type = '' }]) => [key, type === 'object' ? tools[0]?.inputSchema : values[type]]),
    ),
  }
}
