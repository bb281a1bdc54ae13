import type { Account } from '../../accounts/account.ts'
import type { ConnectorDefinition } from '../../definitions/connector-types.ts'
import type { HttpTool, Step } from '../../definitions/http-tool-types.ts'
import { compilePointer, type Pointer } from '../../definitions/placeholders.ts'
import { toolOfStep } from '../../definitions/step.ts'
import { type ClassifyAnswer, compileClassifier } from './answer/classify-answer.ts'
import { compileSelection, type Selection } from './answer/select.ts'
import { askLog, type LogPlace } from './log-page.ts'
import { compilePager, type PageRequest, type Pager } from './pagination.ts'
import { compileRequest, type PreparedRequest } from './request/build-request.ts'
import { compileFiles, type ReplaceFiles } from './request/files.ts'
import { compileInterpolation, type Fill, type Scope } from './request/template.ts'

/** The compiled parts of a tool. */
export interface CompiledTool {
  /** Fills in the defaults of a call's arguments and its page. Throws invalid_request for a cursor of another tool. */
  fill(args: Readonly<Record<string, unknown>>, settings: Account['settings']): FilledInput
  /** Replaces the file arguments by their files; undefined if the tool has none. */
  readonly replaceFiles: ReplaceFiles | undefined
  /** The steps before the request. */
  readonly steps: readonly CompiledStep[]
  /** Builds the request. Throws invalid_request for an argument or a setting that the request cannot contain. */
  build(scope: Scope): PreparedRequest
  readonly classify: ClassifyAnswer
  readonly pager: Pager | undefined
  /** For a result that is picked. */
  readonly selection: Selection
  /** For results of kind `done` and `file`: the text or the file name. */
  readonly label: Fill<string>
  readonly writes: boolean
  /** The header in which the provider accepts an idempotency key. */
  readonly idempotencyHeader: string | undefined
}

/** A compiled step: its request as a tool of its own, and what it keeps. */
export interface CompiledStep {
  readonly step: Step
  readonly tool: HttpTool
  readonly compiled: CompiledTool
  readonly kept: readonly KeptField[]
  /** Reads what the guard of the step protects. */
  readonly guarded: Pointer | undefined
  readonly until: ({ readonly read: Pointer } & NonNullable<Step['until']>) | undefined
}

/** A value that a step keeps of its answer. Where the answer lacks it, the step keeps `otherwise`, or fails without one. */
interface KeptField {
  readonly name: string
  readonly read: Pointer
  readonly otherwise?: unknown
}

/** The input of one call: what its templates are filled from, and the page it asks for. */
export interface FilledInput {
  readonly scope: Scope
  readonly page: PageRequest
  /** The part of a log that it asks for. */
  readonly place: LogPlace | undefined
}

/** Compiles the templates, pointers and defaults of a tool. */
export function compileTool(connector: ConnectorDefinition, tool: HttpTool): CompiledTool {
  const { operation, input, pagination, result, annotations } = tool
  const name = `${connector.id}__${operation}`
  const build = compileRequest(connector, tool)
  const pager = pagination === undefined ? undefined : compilePager(pagination, name)
  const defaults = defaultsOf(input.properties)
  const label = result.kind === 'done' ? result.text : result.kind === 'file' ? result.name : ''

  return {
    fill(args, settings) {
      const given = defaults === undefined ? args : { ...defaults, ...args }
      const page = pager === undefined ? UNPAGED : pager.ask(given)
      const scope = { args: pager === undefined ? given : { ...given, ...placesOf(page) }, settings }
      return { scope, page, place: result.kind === 'log' ? askLog(name, given) : undefined }
    },
    replaceFiles: compileFiles(input),
    steps: (tool.steps ?? []).map(step => compileStep(connector, tool, step)),
    build,
    classify: compileClassifier(connector),
    pager,
    selection: result.kind === 'pick' ? compileSelection(result.pointer, result.fields) : compileSelection('', []),
    label: compileInterpolation(label),
    writes: !annotations.readOnlyHint,
    idempotencyHeader: idempotencyHeaderOf(connector, tool),
  }
}

function compileStep(connector: ConnectorDefinition, whole: HttpTool, step: Step): CompiledStep {
  const tool = toolOfStep(whole, step)
  const { keep = {}, until, guard } = step
  return {
    step,
    tool,
    compiled: compileTool(connector, tool),
    kept: Object.entries(keep).map(([name, kept]) => {
      const { pointer, ...rest } = typeof kept === 'string' ? { pointer: kept } : kept
      return { name, read: compilePointer(pointer), ...rest }
    }),
    guarded: guard && compilePointer(guard.at),
    until: until && { ...until, read: compilePointer(until.pointer) },
  }
}

function idempotencyHeaderOf({ idempotency }: ConnectorDefinition, { request }: HttpTool): string | undefined {
  if (idempotency === undefined || request.method !== 'POST') return undefined
  const { header, paths } = idempotency
  return paths === undefined || paths.includes(request.path) ? header.toLowerCase() : undefined
}

const UNPAGED: PageRequest = { limit: undefined, cursor: undefined }

/** Returns the arguments for a page; the parameters of a URL as `cursor.<name>`. */
function placesOf({ limit, cursor }: PageRequest): Record<string, unknown> {
  if (typeof cursor !== 'object') return { limit, cursor }
  return { limit, ...Object.fromEntries(Object.entries(cursor).map(([name, value]) => [`cursor.${name}`, value])) }
}

/** Returns the defaults of absent arguments. JSON Schema's `default` is only an annotation. */
function defaultsOf(properties: HttpTool['input']['properties']): Record<string, unknown> | undefined {
  const defaults = Object.entries(properties).filter(([, schema]) => schema.default !== undefined)
  return defaults.length === 0
    ? undefined
    : Object.fromEntries(defaults.map(([name, { default: value }]) => [name, value]))
}
