import { hash } from 'node:crypto'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { parse } from 'content-disposition'
import { EgressError } from '../../../lib/egress/egress.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { formatList } from '../../../lib/format-text.ts'
import { holdsTooMuch } from '../../../lib/http/json.ts'
import type { Logger } from '../../../schemas/gateway/log.ts'
import { missingScopes } from '../../accounts/account.ts'
import type { Artifacts } from '../../artifacts/artifacts.ts'
import type { Grants } from '../../credentials/grants.ts'
import type { ConnectorCall, ToolRunner } from '../../definitions/connector-tool.ts'
import type { ConnectorDefinition } from '../../definitions/connector-types.ts'
import type { HttpTool } from '../../definitions/http-tool-types.ts'
import type { OperatorCommands } from '../../operator/operator-commands.ts'
import type { Converter } from '../../web/converter.ts'
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
import { type CompiledStep, type CompiledTool, compileTool, type FilledInput } from './compile-tool.ts'
import { createPdfReader, downloadAdvice, downloadsOf, isPdf, requireText } from './convert/file-text.ts'
import { logResult } from './log-page.ts'
import type { Pager } from './pagination.ts'
import type { PreparedRequest } from './request/build-request.ts'
import { createFindFile, FileValue, knownType } from './request/files.ts'
import type { Scope } from './request/template.ts'
import { runSteps, type Wait } from './run-steps.ts'
import { createSendRequest, DEADLINE_MS, type Outcome, type SendRequestOptions } from './send-request.ts'

interface ToolRunnerOptions extends SendRequestOptions {
  grants: Pick<Grants, 'send'>
  artifacts: Pick<Artifacts, 'create' | 'find' | 'read' | 'urlOf'>
  /** Reads PDFs. */
  converter: Pick<Converter, 'run'>
  log?: Logger
  /** Pauses between the requests of a step that waits for a state. */
  wait?: Wait
}

/** Bodies above this length, in characters, take noticeable time to parse. */
const LONG_TEXT = 200_000

/** Runs the tools of connectors: converts arguments to a request, and the provider's answer to a result. */
export function createToolRunner(options: ToolRunnerOptions): ToolRunner {
  const { grants, artifacts, clock, commands, log, wait, deadlineMs = DEADLINE_MS } = options
  const sendRequest = createSendRequest(options)
  const readPdf = createPdfReader(options.converter)
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
    { scope, page, place }: FilledInput,
    { answer, failure, file }: Outcome,
  ): Promise<CallToolResult> {
    const { tool } = call
    const request = failedRequestOf(call, compiled, commands)
    if (failure !== undefined) throw providerError(request, failure, answer.headers, clock.now())
    const { selection, pager } = compiled
    const label = compiled.label(scope)
    if (file !== undefined && place !== undefined)
      return logResult(`${call.connector.id}__${tool.operation}`, file.body, place, answer.redact)
    if (file !== undefined)
      return artifactResult(artifacts, call, file, answer.redact(label || fileNameIn(answer.headers) || tool.operation))
    if (answer.pdf !== undefined) return textResult(await readPdf(answer.pdf, call), answer.redact)
    // An empty body is also an answer: a 204, and some 202s.
    if (tool.result.kind === 'done' || answer.body.trim() === '') return textResult(label || 'Done.')
    if (tool.result.kind === 'text')
      return textResult(requireText(answer.body, downloadsOf(call.connector)), answer.redact)
    if (answer.json === undefined)
      throw holdsTooMuch(answer.body) ? answerTooLarge(request) : unreadableAnswer(request, answer.status)
    // A body that took long to parse may take long to select from. Let other work run in between.
    if (answer.body.length > LONG_TEXT) await new Promise(resolve => setImmediate(resolve))
    const found = foundIn(answer, selection, pager)
    // A page without a list violates the API; an item requested by its ID may not exist.
    if (found === undefined)
      throw pager === undefined ? resultMissing(request) : unreadableAnswer(request, answer.status)
    const { redact } = answer
    const pdfs = await textsOfPdfs(selection.encodedIn(found), call)
    return boundedResult(selection, { found, redact, pdfs, nextCursor: pager?.next(answer, page) })
  }

  /** Returns the texts of the PDFs among files in base64. */
  async function textsOfPdfs(files: readonly string[], call: ConnectorCall): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>()
    for (const encoded of files) {
      const file = Buffer.from(encoded, 'base64')
      // The base64 is in memory twice: in the body of the answer, and parsed.
      if (isPdf(file)) texts.set(encoded, await readPdf(file, call, file.length + 2 * encoded.length))
    }
    return texts
  }

  /** Replaces the file arguments of a call. Everything else of the call has only their IDs. */
  async function withFiles(scope: Scope, { caller }: ConnectorCall, { replaceFiles }: CompiledTool): Promise<Scope> {
    if (replaceFiles === undefined) return scope
    const args = await replaceFiles(scope.args, createFindFile(artifacts, caller))
    return { ...scope, args: { ...args, ...filePlacesOf(args) } }
  }

  /** Sends one of the requests of a call. `part` is its name among them; undefined for the last one. */
  async function exchange(
    call: ConnectorCall,
    compiled: CompiledTool,
    scope: Scope,
    { left, part }: { left: number | undefined; part?: string },
  ): Promise<Outcome> {
    const request = withIdempotencyKey(compiled.build(scope), call, compiled, part)
    return grants.send(call.account, call.connector, (credential, clientId) =>
      sendRequest(call, compiled, request, { credential, clientId }, left),
    )
  }

  /** Converts the failure of sending a request, and of reading a file from its answer. */
  async function reported<T>(call: ConnectorCall, compiled: CompiledTool, work: () => Promise<T>): Promise<T> {
    const { connector, tool } = call
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof EgressError)) throw error
      // A file of the request could not be read: the provider is not at fault.
      if (error.cause !== undefined) throw error.cause
      log?.warn({ err: error, connector: connector.id, tool: tool.operation }, 'a request to a provider failed')
      throw egressFailure(failedRequestOf(call, compiled, commands), error)
    }
  }

  /** Sends the request of a step, whose failures are those of a tool. */
  async function sendStep(
    call: ConnectorCall,
    { tool, compiled }: CompiledStep,
    scope: Scope,
    place: { left: number; part: string },
  ): Promise<ProviderAnswer> {
    const own = { ...call, tool }
    const { answer, failure } = await reported(own, compiled, () => exchange(own, compiled, scope, place))
    if (failure === undefined) return answer
    throw providerError(failedRequestOf(own, compiled, commands), failure, answer.headers, clock.now())
  }

  return {
    async run(call) {
      const { connector, tool, args, account } = call
      const missing = missingScopes(account, tool.scopes)
      if (missing.length > 0) throw scopesMissing(commands, connector, account, missing)
      requireOneOf(tool, args)
      requireCompanions(tool, args)
      const compiled = compiledOf(connector, tool)
      const input = compiled.fill(args, account.settings)
      const scope = await withFiles(input.scope, call, compiled)
      const ends = clock.now() + deadlineMs
      const left = () => Math.max(1, ends - clock.now())
      const result = await runSteps(
        scope,
        last =>
          reported(call, compiled, async () => {
            const many = compiled.steps.length > 0
            const outcome = await exchange(call, compiled, last, { left: many ? left() : undefined })
            return resultOf(call, compiled, { ...input, scope: last }, outcome)
          }),
        {
          steps: compiled.steps,
          signal: call.signal,
          wait,
          left,
          send: (step, scope, part) => sendStep(call, step, scope, { left: left(), part }),
          describe: ({ tool, compiled }) => failedRequestOf({ ...call, tool }, compiled, commands),
        },
      )
      const { id, alias, identity } = account
      return { ...result, _meta: { 'connector-gateway/account': { id, alias, identity } } }
    },
  }
}

/** Throws invalid_request if a call gives none of the arguments of which the tool needs one. */
function requireOneOf({ needsOneOf, annotations }: HttpTool, args: ConnectorCall['args']): void {
  if (needsOneOf === undefined || needsOneOf.some(name => Object.hasOwn(args, name))) return
  // Without these arguments, a tool that changes something has no change to make; others lack what to read or add.
  const changes = annotations.destructiveHint || (annotations.idempotentHint && !annotations.readOnlyHint)
  const what = changes ? 'Nothing would change.' : 'An argument is missing.'
  throw new GatewayError(
    'invalid_request',
    `${what} Give at least one of these arguments: ${formatList(needsOneOf, 'or')}.`,
  )
}

/** Throws invalid_request if a call gives an argument without the one that it needs. */
function requireCompanions({ needs = {} }: HttpTool, args: ConnectorCall['args']): void {
  for (const [name, companion] of Object.entries(needs))
    if (Object.hasOwn(args, name) && !Object.hasOwn(args, companion))
      throw new GatewayError('invalid_request', `${name} needs ${companion}. Give both arguments.`)
}

function failedRequestOf(
  { connector, account, tool, idempotencyDigest }: ConnectorCall,
  { writes, idempotencyHeader, selection }: CompiledTool,
  commands: OperatorCommands,
): FailedRequest {
  return {
    connector,
    account,
    commands,
    scopes: tool.scopes,
    writes,
    idempotent: idempotencyHeader !== undefined && idempotencyDigest !== undefined,
    fileAdvice: fileAdviceOf(connector, tool, selection),
  }
}

/** What to do with a file that is too large for a tool; undefined for a tool that returns none. */
function fileAdviceOf(connector: ConnectorDefinition, { result }: HttpTool, selection: Selection): string | undefined {
  if (result.kind === 'file' || result.kind === 'log') return downloadAdvice([])
  return result.kind === 'text' || selection.hasEncoded ? downloadAdvice(downloadsOf(connector)) : undefined
}

/** Returns the source value of the result; undefined if it is missing. */
function foundIn({ json }: ProviderAnswer, selection: Selection, pager: Pager | undefined): unknown {
  const found = selection.find(json)
  if (pager === undefined) return found ?? undefined
  // Some providers return null for an empty list, or leave it out.
  const empty = found === null || (found === undefined && pager.omitsEmpty && typeof json === 'object')
  return empty ? [] : Array.isArray(found) ? found : undefined
}

/** Adds the idempotency key of a repeatable call, if the provider accepts one. */
function withIdempotencyKey(
  request: PreparedRequest,
  { idempotencyDigest }: ConnectorCall,
  { idempotencyHeader }: CompiledTool,
  part?: string,
): PreparedRequest {
  if (idempotencyHeader === undefined || idempotencyDigest === undefined) return request
  // Providers reject one key for different requests.
  const key = part === undefined ? idempotencyDigest : hash('sha256', `${idempotencyDigest}:${part}`, 'base64url')
  return { ...request, headers: { ...request.headers, [idempotencyHeader]: key } }
}

/** Returns the size, the name and the media type of each file argument, as placeholders of requests. */
function filePlacesOf(args: Scope['args']): Record<string, unknown> {
  const places: Record<string, unknown> = {}
  for (const [name, file] of Object.entries(args))
    if (file instanceof FileValue) {
      places[`${name}.bytes`] = file.bytes
      places[`${name}.name`] = file.name ?? 'file.txt'
      // A text may have any type of text.
      const type = knownType(file, file.name)
      if (type !== undefined) places[`${name}.type`] = type
    }
  return places
}

/** Reads the file name from `Content-Disposition` (RFC 6266); undefined if the header is absent or invalid. */
function fileNameIn(headers: ProviderAnswer['headers']): string | undefined {
  try {
    return parse(headers['content-disposition'] ?? '').parameters.filename
  } catch {
    return undefined
  }
}
