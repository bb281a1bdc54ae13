import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { MAX_ERROR_TEXT, redactPrivateAddresses } from '../../../lib/egress/private-addresses.ts'
import { keptDigits } from '../../../lib/exact-numbers.ts'
import { listedResult } from '../../../lib/portable-schema/listed-output.ts'
import type { Logger } from '../../../schemas/gateway/log.ts'
import type { InputRequiredResult } from '../../../schemas/tools/mcp.ts'
import type { ToolContext } from '../../definitions/define-tool.ts'
import type { ToolResult } from '../../mcp/mcp-types.ts'
import type { OperatorCommands } from '../../operator/operator-commands.ts'
import { publishedBlock, withoutOwnMeta } from '../published-meta.ts'
import type { RemoteConnector } from '../remote-connectors.ts'
import type { PinnedTool } from '../snapshot.ts'
import type { PinnedValidators } from '../snapshots/pinned-validators.ts'
import type { RemoteCaller } from '../upstream/remote-caller.ts'
import { UpstreamError } from '../upstream/upstream.ts'
import { callFailure } from './call-failure.ts'
import {
  askableCapabilities,
  beginAgain,
  canBeAsked,
  cannotAsk,
  type RequestStates,
  type StatefulCall,
} from './input-required.ts'

/** One call of a registered upstream's tool. */
interface RemoteCall {
  readonly remote: RemoteConnector
  readonly tool: PinnedTool
  /** Valid against the pinned schema. */
  readonly args: Readonly<Record<string, unknown>>
  readonly context: Pick<ToolContext, 'caller' | 'client' | 'signal'>
}

/**
 * Calls a tool of an upstream. Throws the GatewayErrors of callFailure, input_required if the client does not support the
 * requested input, invalid_request for answers without a matching question, and the errors of Grants.send.
 */
export type CallRemoteTool = (call: RemoteCall) => Promise<ToolResult>

interface CallRemoteToolOptions {
  remoteCaller: Pick<RemoteCaller, 'callTool'>
  requestStates: RequestStates
  validators: Pick<PinnedValidators, 'matches'>
  commands: OperatorCommands
  log: Pick<Logger, 'warn'>
}

/** Less than the tool's own deadline of 50 s, whose error cannot say whether the call may have been executed. */
const DEADLINE_MS = 48_000

export function createCallRemoteTool({
  remoteCaller,
  requestStates,
  validators,
  commands,
  log,
}: CallRemoteToolOptions): CallRemoteTool {
  function answersIn(call: StatefulCall, { inputResponses, requestState }: RemoteCall['context']['client']) {
    if (requestState === undefined) {
      if (inputResponses === undefined) return {}
      // Every question is sent with a state, so answers without one match no question.
      throw beginAgain()
    }
    const state = requestStates.open(call, requestState)
    return {
      ...(inputResponses !== undefined && { inputResponses }),
      ...(state !== undefined && { requestState: state }),
    }
  }

  function asked(
    { remote, tool, context: { client } }: RemoteCall,
    call: StatefulCall,
    { inputRequests, requestState, _meta: meta }: InputRequiredResult,
  ): InputRequiredResult {
    if (!canBeAsked(client, inputRequests)) throw cannotAsk(remote.registration.name, tool.originalName, inputRequests)
    const _meta = withoutOwnMeta(meta)
    return {
      resultType: 'input_required',
      ...(inputRequests !== undefined && { inputRequests }),
      requestState: requestStates.seal(call, requestState),
      ...(_meta !== undefined && { _meta }),
    }
  }

  return async function callRemoteTool(call) {
    const { remote, tool, args, context } = call
    const { registration } = remote
    const { caller, client, signal } = context
    const { orgId, id: remoteId } = registration
    const stateful = { orgId, userId: caller.userId, remoteId, tool: tool.originalName, arguments: args }
    try {
      const result = await remoteCaller.callTool(
        remote,
        {
          name: tool.originalName,
          arguments: args,
          inputSchema: tool.inputSchema,
          trace: client.trace,
          clientCapabilities: askableCapabilities(client),
          ...answersIn(stateful, client),
        },
        { signal, deadlineMs: DEADLINE_MS },
      )
      if (asksForInput(result)) return asked(call, stateful, result)
      const published = passedOn(registration.slug, result)
      const { hash, outputSchema } = tool
      if (outputSchema === undefined) return published
      const matches = (content: unknown) => validators.matches({ hash, outputSchema }, content)
      // Numbers whose digits are kept are checked as the client reads them.
      return listedResult(published, content => matches(content) || matches(JSON.parse(JSON.stringify(content))))
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      if (error.kind !== 'rpc' && error.kind !== 'aborted') {
        const { slug } = registration
        log.warn({ err: error, org: orgId, remote: remoteId, slug, tool: tool.name }, 'a call of a remote tool failed')
      }
      throw await callFailure(remote, error, commands)
    }
  }
}

/** Whether a result requests input. */
function asksForInput(result: ToolResult): result is InputRequiredResult {
  return result.resultType === 'input_required'
}

/**
 * The upstream's result, without the `_meta` members that only the answering server may set, and with the URIs under which
 * this gateway serves its resources.
 */
function passedOn(slug: string, { resultType: _, _meta: meta, ...sent }: CallToolResult): CallToolResult {
  // Most results name no resource.
  const names = sent.content.some(({ type }) => type === 'resource' || type === 'resource_link')
  const result = names ? { ...sent, content: sent.content.map(block => publishedBlock(slug, block)) } : sent
  const _meta = withoutOwnMeta(meta)
  const published = result.isError === true ? withoutAddresses(result) : result
  return { ...asText(published), ...(_meta !== undefined && { _meta }) }
}

/** A result whose structured content is also a text if it has no other content, because most clients show only content. */
function asText(result: CallToolResult): CallToolResult {
  const { content, structuredContent } = result
  if (content.length > 0 || structuredContent === undefined) return result
  return { ...result, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] }
}

/** How much of all texts of an error is kept: redacting more would block other calls. */
const MAX_ERROR_TEXTS = 4 * MAX_ERROR_TEXT

/** Redacts private addresses from an error, which the upstream writes about itself. A result is what the member requested and stays. */
function withoutAddresses({ content, structuredContent, ...rest }: CallToolResult): CallToolResult {
  let left = MAX_ERROR_TEXTS
  const redact = (text: string) => {
    const kept = shortened(text, Math.min(left, MAX_ERROR_TEXT))
    left -= Math.min(left, kept.length)
    return redactPrivateAddresses(kept, kept.length)
  }
  // First, because its members must fit the tool's output schema.
  const structured = structuredContent && (mapTexts(structuredContent, redact) as Record<string, unknown>)
  return {
    ...rest,
    content: content.map(item => {
      if (item.type === 'text') return { ...item, text: redact(item.text) }
      if (item.type !== 'resource' || !('text' in item.resource)) return item
      return { ...item, resource: { ...item.resource, text: redact(item.resource.text) } }
    }),
    ...(structured !== undefined && { structuredContent: structured }),
  }
}

/** The beginning and the end of a text: the end of a long error often has its reason. Ends no part inside a word. */
function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text
  const half = Math.floor(longest / 2)
  const [first, last] = [text.slice(0, half), text.slice(text.length - half)]
  const start = first.slice(0, -100) + first.slice(-100).replace(/\S+$/, '')
  const end = last.slice(0, 100).replace(/^\S+/, '') + last.slice(100)
  return `${start}\n[… ${text.length - start.length - end.length} characters are left out …]\n${end}`
}

/** A copy of a JSON value with every string replaced. */
function mapTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value)
  if (Array.isArray(value)) return value.map(item => mapTexts(item, replace))
  if (typeof value !== 'object' || value === null || keptDigits(value) !== undefined) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, replace)]))
}
