import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { EgressError } from '../../../lib/egress/egress.ts'
import { holdsTooMuch } from '../../../lib/http/json.ts'
import type { Logger } from '../../../schemas/log.ts'
import { missingScopes } from '../../accounts/account.ts'
import type { Artifacts } from '../../artifacts/artifacts.ts'
import type { Grants } from '../../credentials/grants.ts'
import type { ConnectorCall, ToolRunner } from '../../definitions/connector-tool.ts'
import type { ConnectorDefinition } from '../../definitions/define-connector.ts'
import type { HttpTool } from '../../definitions/http-tool.ts'
import type { OperatorCommands } from '../../operator/operator-commands.ts'
import type { ProviderAnswer } from './answer/provider-answer.ts'
import {
  answerTooLarge,
  egressFailure,
  type FailedRequest,
  providerError,
  resultMissing,
  scopesMissing,
  unreadableAnswer,
} from './answer/provider-error.ts'
import type { Selection } from './answer/select.ts'
import { artifactResult, boundedResult, textResult } from './answer/tool-results.ts'
import { type CompiledTool, compileTool } from './compile-tool.ts'
import type { Pager } from './pagination.ts'
import type { PreparedRequest } from './request/build-request.ts'
import { createSendRequest, type Outcome, type SendRequestOptions } from './send-request.ts'

interface ToolRunnerOptions extends SendRequestOptions {
  grants: Pick<Grants, 'send'>
  artifacts: Pick<Artifacts, 'create' | 'urlOf'>
  log?: Logger
}

/** Bodies above this length, in characters, take noticeable time to parse. */
const LONG_TEXT = 200_000

/** Runs the tools of connectors: converts arguments to a request, and the provider's answer to a result. */
export function createToolRunner(options: ToolRunnerOptions): ToolRunner {
  const { grants, artifacts, clock, commands, log } = options
  const sendRequest = createSendRequest(options)
  // By connector and tool: a connector with overridden URLs (CONNECTOR_OVERRIDES) has the same tools.
  const compiled = new WeakMap<ConnectorDefinition, WeakMap<HttpTool, CompiledTool>>()

  function compiledOf(connector: ConnectorDefinition, tool: HttpTool): CompiledTool {
    const tools = compiled.get(connector) ?? new WeakMap<HttpTool, CompiledTool>()
    const found = tools.get(tool)
    if (found !== undefined) return found
    const made = compileTool(connector, tool)
    compiled.set(connector, tools.set(tool, made))
    return made
  }

  async function resultOf(
    call: ConnectorCall,
    compiled: CompiledTool,
    { scope, page }: ReturnType<CompiledTool['fill']>,
    { answer, failure, file }: Outcome,
  ): Promise<CallToolResult> {
    const { tool } = call
    const request = failedRequestOf(call, compiled, commands)
    if (failure !== undefined) throw providerError(request, failure, answer.headers, clock.now())
    const { selection, pager } = compiled
    const label = compiled.label(scope)
    if (file !== undefined) return artifactResult(artifacts, call, file, label || tool.operation)
    // An empty body is also an answer: a 204, and some 202s.
    if (tool.result.kind === 'done' || answer.body.trim() === '') return textResult(label || 'Done.')
    if (tool.result.kind === 'text') {
      if (answer.body.includes('\0')) throw unreadableAnswer(request, answer.status)
      return textResult(answer.body, answer.redact)
    }
    if (answer.json === undefined)
      throw holdsTooMuch(answer.body) ? answerTooLarge(request) : unreadableAnswer(request, answer.status)
    // A body that took long to parse may take long to select from. Let other work run in between.
    if (answer.body.length > LONG_TEXT) await new Promise(resolve => setImmediate(resolve))
    const found = foundIn(answer, selection, pager)
    // A page without a list violates the API; an item requested by its ID may not exist.
    if (found === undefined)
      throw pager === undefined ? resultMissing(request) : unreadableAnswer(request, answer.status)
    const { redact } = answer
    return boundedResult(selection, { found, redact, nextCursor: pager?.next(answer, page) })
  }

  return {
    async run(call) {
      const { connector, tool, args, account } = call
      const missing = missingScopes(account, tool.scopes)
      if (missing.length > 0) throw scopesMissing(commands, connector, account, missing)
      const compiled = compiledOf(connector, tool)
      const input = compiled.fill(args, account.settings)
      const request = withIdempotencyKey(compiled.build(input.scope), call, compiled)
      try {
        const outcome = await grants.send(account, connector, (credential, clientId) =>
          sendRequest(call, compiled, request, { credential, clientId }),
        )
        const result = await resultOf(call, compiled, input, outcome)
        const { id, alias, identity } = account
        return { ...result, _meta: { 'connector-gateway/account': { id, alias, identity } } }
      } catch (error) {
        if (!(error instanceof EgressError)) throw error
        log?.warn({ err: error, connector: connector.id, tool: tool.operation }, 'a request to a provider failed')
        throw egressFailure(failedRequestOf(call, compiled, commands), error)
      }
    },
  }
}

function failedRequestOf(
  { connector, account, tool, idempotencyDigest }: ConnectorCall,
  { writes, idempotencyHeader }: CompiledTool,
  commands: OperatorCommands,
): FailedRequest {
  return {
    connector,
    account,
    commands,
    scopes: tool.scopes,
    writes,
    idempotent: idempotencyHeader !== undefined && idempotencyDigest !== undefined,
  }
}

/** Returns the source value of the result; undefined if it is missing. */
function foundIn({ json }: ProviderAnswer, selection: Selection, pager: Pager | undefined): unknown {
  const found = selection.find(json)
  if (pager === undefined) return found ?? undefined
  // Some providers return null for an empty list.
  return found === null ? [] : Array.isArray(found) ? found : undefined
}

/** Adds the idempotency key of a repeatable call, if the provider accepts one. */
function withIdempotencyKey(
  request: PreparedRequest,
  { idempotencyDigest }: ConnectorCall,
  { idempotencyHeader }: CompiledTool,
): PreparedRequest {
  if (idempotencyHeader === undefined || idempotencyDigest === undefined) return request
  return { ...request, headers: { ...request.headers, [idempotencyHeader]: idempotencyDigest } }
}
