import { FormatRegistry, type TInteger, type TOptional, type TString, type TUnion, Type } from '@sinclair/typebox'
import { flag, type NamedArgument, named, oneOf, optional } from '../../services/definitions/arguments.ts'

// Arguments that tools of several connectors have.

/** The number of items per page: `max` is the provider's limit, `default` applies when the caller names none. */
interface PageSize {
  readonly max: number
  readonly default: number
}

/** The `limit` argument of a paginated tool. */
export function limit({ max, default: usual }: PageSize): TOptional<TInteger> {
  return Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: max,
      default: usual,
      description: `Maximum results per page. Default: ${usual}.`,
    }),
  )
}

/** The `cursor` argument of a paginated tool. It is opaque; the engine creates it. */
export const cursor = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 4096,
    description: 'next_cursor of the previous result, unchanged. Omit it for the first page.',
  }),
)

/** The `limit` argument, at the member of a request that carries the page size. */
export function pageSize(usual: number, max: number): NamedArgument {
  return named('limit', limit({ max, default: usual }))
}

/** The `cursor` argument, at the member of a request that carries the position of the page. */
export const pageStart: NamedArgument = named('cursor', cursor)

/** The arguments of a tool that returns a log. */
export const logPage = {
  from: {
    ...optional(
      oneOf(['end', 'start'], 'Where to begin: at the end, where failures are, or at the start. Default: end.'),
    ),
    default: 'end',
  },
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'The cursor in the previous result, for the next part.',
    }),
  ),
}

/** Lets a call replace a text that has what Markdown cannot hold: the `unless` of a guard. */
export const replace_all = optional(
  flag('Replace the text even if it has elements that Markdown cannot hold. Ask the user first.'),
)

/** A point in time (RFC 3339). */
export function instant(description: string): TString {
  return Type.String({ format: 'date-time', description: `${description} For example 2026-03-31T09:00:00Z.` })
}

/** A calendar date. */
export function day(description: string): TString {
  return Type.String({ format: 'date', description: `${description} For example 2026-03-31.` })
}

/** A calendar date for events of whole days, or a point in time. */
export function dayOrInstant(description: string): TUnion<[TString, TString]> {
  return Type.Union([Type.String({ format: 'date-time' }), Type.String({ format: 'date' })], {
    description: `${description} A time with its offset (2026-03-31T09:00:00+02:00), or a day (2026-03-31) for all-day events.`,
  })
}

const INSTANT = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

// TypeBox has no built-in formats: a format that is not registered matches nothing.
FormatRegistry.Set('date', isDay)
FormatRegistry.Set('date-time', text => isDay(INSTANT.exec(text)?.[1] ?? ''))

/** Whether a text is a calendar date. Needed because Date reads February 30 as March 2. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
