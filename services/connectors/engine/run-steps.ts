import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { formatList } from '../../../lib/format-text.ts'
import { MAX_ITEMS } from '../../definitions/step.ts'
import type { ProviderAnswer } from './answer/provider-answer.ts'
import type { FailedRequest } from './answer/provider-error.ts'
import { resultMissing } from './answer/provider-error.ts'
import type { CompiledStep } from './compile-tool.ts'
import { lossesOf } from './convert/losses.ts'
import { itemPlaces, type Scope } from './request/template.ts'

/** Waits; rejects when the signal ends. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<unknown>

interface StepsOptions {
  readonly steps: readonly CompiledStep[]
  readonly signal: AbortSignal
  readonly wait?: Wait | undefined
  /** The milliseconds that are left of the call. */
  left(): number
  /** Sends the request of a step, and returns its answer. `part` distinguishes the requests of one call. */
  send(step: CompiledStep, scope: Scope, part: string): Promise<ProviderAnswer>
  /** Describes the request of a step for an error. */
  describe(step: CompiledStep): FailedRequest
}

/** What a call has done before its current request. */
interface Progress {
  readonly done: CompiledStep[]
  /** The items for which the current step was done. */
  items: number
}

/** The pauses between the requests of a step that repeats, in milliseconds; each is twice the one before. */
const FIRST_PAUSE = 500
const LONGEST_PAUSE = 4000

/**
 * Runs the steps of a tool in their order, then `last` with what they kept. The error of a step says which one failed
 * and what was done before it, and is unsettled if a repetition of the call would do that again.
 */
export async function runSteps<T>(scope: Scope, last: (scope: Scope) => Promise<T>, options: StepsOptions): Promise<T> {
  const steps = options.steps.filter(step => isAsked(step, scope))
  if (steps.length === 0) return last(scope)
  const progress: Progress = { done: [], items: 0 }
  let current = scope
  for (const step of steps) {
    progress.items = 0
    const kept = await failingAs(step.step.name, () => runStep(step, current, options, progress))
    current = { ...current, args: { ...current.args, ...kept } }
    progress.done.push(step)
  }
  progress.items = 0
  return failingAs('the last one', () => last(current))

  async function failingAs<R>(name: string, work: () => Promise<R>): Promise<R> {
    try {
      return await work()
    } catch (error) {
      throw error instanceof GatewayError ? failedStep(error, name, steps, progress, options) : error
    }
  }
}

/** Whether a call gives an argument for which the step runs. null clears a value, for which nothing is looked up. */
function isAsked({ step: { given } }: CompiledStep, { args }: Scope): boolean {
  return given === undefined || given.some(name => Object.hasOwn(args, name) && args[name] !== null)
}

/**
 * Runs one step, and returns what it keeps: `{name.kept}`. A step that runs for each item keeps lists, and `{name}` is
 * the list of its items, each with what was kept for it.
 */
async function runStep(
  step: CompiledStep,
  scope: Scope,
  options: StepsOptions,
  progress: Progress,
): Promise<Record<string, unknown>> {
  const { name, each } = step.step
  if (each === undefined) {
    const answer = await settledAnswer(step, scope, options)
    requireNoLoss(step, scope, answer)
    return keptOf(step, answer, options)
  }
  const items = Object.hasOwn(scope.args, each) ? scope.args[each] : []
  if (!Array.isArray(items) || items.length > MAX_ITEMS)
    throw new GatewayError('upstream_rejected', `This tool handles at most ${MAX_ITEMS} items per call.`)
  const lists: Record<string, unknown[]> = Object.fromEntries(
    step.kept.map(({ name: kept }) => [`${name}.${kept}`, []]),
  )
  const whole: unknown[] = []
  for (const [index, item] of items.entries()) {
    const answer = await options.send(
      step,
      { ...scope, args: { ...scope.args, ...itemPlaces(item) } },
      `${name}.${index}`,
    )
    const kept = Object.entries(keptOf(step, answer, options))
    for (const [place, value] of kept) lists[place]?.push(value)
    const own = Object.fromEntries(kept.map(([place, value]) => [place.slice(name.length + 1), value]))
    whole.push(typeof item === 'object' ? { ...item, ...own } : { item, ...own })
    progress.items++
  }
  return { ...lists, [name]: whole }
}

/** Throws invalid_request if the tool would replace what Markdown cannot hold and the call does not allow it. */
function requireNoLoss({ step: { guard }, guarded }: CompiledStep, { args }: Scope, { json }: ProviderAnswer): void {
  if (guard === undefined || guarded === undefined || args[guard.unless] === true) return
  const lost = lossesOf(guard.form, guarded(json))
  if (lost.length === 0) return
  const instead = guard.instead === undefined ? '' : ` To keep them, ${guard.instead}.`
  throw new GatewayError(
    'invalid_request',
    `The text has ${formatList(lost, 'and')}, which Markdown cannot hold: replacing it would remove them.${instead} To replace all of it, ` +
      `ask the user, then give ${guard.unless}: true.`,
  )
}

function keptOf(step: CompiledStep, answer: ProviderAnswer, { describe }: StepsOptions): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const { name, read, otherwise } of step.kept) {
    const value = read(answer.json) ?? otherwise
    if (value === undefined || value === null) throw resultMissing(describe(step))
    values[`${step.step.name}.${name}`] = value
  }
  return values
}

/** Sends the request of a step, again and again if it waits for a state. */
async function settledAnswer(step: CompiledStep, scope: Scope, options: StepsOptions): Promise<ProviderAnswer> {
  const { until, step: declared } = step
  const { send, left, wait = (milliseconds, signal) => sleep(milliseconds, undefined, { signal }) } = options
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    const answer = await send(step, scope, declared.name)
    if (until === undefined) return answer
    const state = String(until.read(answer.json))
    if (until.is.includes(state)) return answer
    const { name } = options.describe(step).connector
    if (until.failed?.includes(state))
      throw new GatewayError('upstream_rejected', `${name} could not finish this. Correct the arguments, then retry.`)
    const late = () => new GatewayError('timeout', `${name} has not finished this in time. Retry later.`)
    if (left() <= pause) throw late()
    await wait(pause, options.signal).catch(() => {
      throw late()
    })
  }
}

/** Adds to an error which step failed, and what was done before it. */
function failedStep(
  error: GatewayError,
  name: string,
  steps: readonly CompiledStep[],
  { done, items }: Progress,
  { describe }: StepsOptions,
): GatewayError {
  const current = steps[done.length]
  const partly = items > 0 && current !== undefined
  const before = [
    ...done.map(({ step }) => step.name),
    ...(partly ? [`${current.step.name} of the first ${items} items`] : []),
  ]
  const what = before.length === 0 ? 'Nothing was done before it' : `Done before it: ${before.join(', ')}`
  // With an idempotency key, the provider recognizes what it has done.
  const repeats = [...done, ...(partly ? [current] : [])]
    .map(describe)
    .some(({ writes, idempotent }) => writes && idempotent !== true)
  const advice = repeats ? ' That is not undone, and a new call does it again: check before you retry.' : ''
  const { retryAfter, details } = error
  return new GatewayError(
    error.code,
    `${error.message} This was step ${done.length + 1} of ${steps.length + 1} (${name}). ${what}.${advice}`,
    {
      cause: error,
      ...(retryAfter !== undefined && { retryAfter }),
      ...(details && { details }),
      unsettled: error.unsettled || repeats,
    },
  )
}
