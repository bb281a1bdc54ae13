import { createComputeBudget } from '../compute-budget.ts'
import { pointerSteps } from '../json-pointer.ts'
import type { SchemaRules } from './check-value.ts'
import { createFaultTexts, type Nouns } from './fault-texts.ts'
import { findFaults } from './find-faults.ts'
import { type Fault, MAX_FAULTS } from './search.ts'

/** The budgets of the search, in units of about 50 ns. */
const WORK = 12_000
const WORK_AT_PLACE = 4_000
/** Sentences are added until the message has this length. */
const MAX_MESSAGE = 3_000

const ARGUMENTS: Nouns = { whole: 'The arguments', member: 'argument' }

/** The fault that the first pass found. */
export interface FirstFault {
  /** A JSON pointer to the value. */
  readonly pointer: string
  /** The name of a member that the schema does not allow. */
  readonly unknown?: string | undefined
}

/** A value that a validator has rejected. */
interface Rejected {
  readonly schema: unknown
  readonly value: unknown
  readonly rules: SchemaRules
  /** Names the fault that the validator found, for a value that the second pass cannot explain. */
  first(): FirstFault | undefined
  readonly nouns?: Nouns
}

/** The rules of the gateway's own schemas. Their patterns are simple, and have already run on the same texts. */
export function ownRules(hasFormat?: SchemaRules['hasFormat']): SchemaRules {
  const budget = createComputeBudget()
  return {
    budget,
    isDraft07: false,
    ...(hasFormat !== undefined && { hasFormat }),
    matches(pattern, text) {
      budget.spend(1 + (text.length >> 3))
      return new RegExp(pattern).test(text)
    },
  }
}

/**
 * Describes up to ten faults of a value that a validator has rejected, as sentences: the second pass. It takes a few
 * milliseconds at most. For a value that costs more than its budget, it describes only what it found so far, or the
 * validator's first fault.
 */
export function describeFaults({ schema, value, rules, first, nouns = ARGUMENTS }: Rejected): string {
  const texts = createFaultTexts(nouns)
  rules.budget.reset(WORK)
  const faults = findFaults(schema, value, { rules, texts })
  if (faults.length > 0) return sentencesOf(faults)

  const { pointer = '', unknown } = first() ?? {}
  const guide = pointerSteps(pointer)
  if (unknown !== undefined) return `${texts.unknown([...guide, unknown], [], false)}.`
  rules.budget.reset(WORK_AT_PLACE)
  const near = findFaults(schema, value, { rules, texts, guide })
  const path = stepsTo(value, guide)
  return near.length > 0 ? sentencesOf(near) : `${texts.subject(path)} must match the schema.`
}

function sentenceOf(text: string): string {
  return text.endsWith('?') ? text : `${text}.`
}

function sentencesOf(faults: readonly Fault[]): string {
  const texts = [...new Set(faults.map(fault => sentenceOf(fault.text())))]
  let message = ''
  for (const [i, text] of texts.entries()) {
    if (i === MAX_FAULTS || (i > 0 && message.length + text.length > MAX_MESSAGE)) return `${message} And more.`
    message += i === 0 ? text : ` ${text}`
  }
  return message
}

/** Tells indexes of arrays from names that look like them. */
function stepsTo(value: unknown, tokens: readonly string[]): (string | number)[] {
  let place = value
  return tokens.map(token => {
    const step = Array.isArray(place) ? Number(token) : token
    place = typeof place === 'object' && place !== null ? (place as Record<string, unknown>)[token] : undefined
    return step
  })
}
