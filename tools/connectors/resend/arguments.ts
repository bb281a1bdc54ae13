import { type TObject, type TString, Type } from '@sinclair/typebox'
import { text } from '../../../services/definitions/arguments.ts'
import { pageSize, pageStart } from '../shared-arguments.ts'

/** The ID of an object. */
export function id(description: string): TString {
  return Type.String({
    pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    description,
  })
}

/** A topic. */
export const topic = id('The ID of the topic, from list_topics.')

/** The query and pagination of all lists. */
export const listQuery = { limit: pageSize(20, 100), after: pageStart } as const
export const listPages = { style: 'last-id', items: '/data', id: '/id', more: '/has_more' } as const

/** The time to send at. */
export const scheduledAt = text(
  'The time to send at, at most 30 days ahead: ISO 8601 (2026-03-01T09:00:00Z) or plain English (in 1 hour).',
  100,
)

/** The values of a contact's own properties, or of a template's variables. */
export function values(description: string, nullable = false): TObject {
  const types = [Type.String({ maxLength: 2000 }), Type.Number(), ...(nullable ? [Type.Null()] : [])]
  return Type.Object({}, { additionalProperties: Type.Union(types), maxProperties: 100, description })
}
