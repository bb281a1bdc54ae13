import { FormatRegistry, type TString, type TUnion, Type } from '@sinclair/typebox'

const INSTANT = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

// TypeBox has no built-in formats: a format that is not registered matches nothing.
FormatRegistry.Set('date', isDay)
FormatRegistry.Set('date-time', text => isDay(INSTANT.exec(text)?.[1] ?? ''))

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

/** Whether a text is a calendar date. Needed because Date reads February 30 as March 2. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
