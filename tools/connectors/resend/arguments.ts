import { type TObject, type TString, Type } from '@sinclair/typebox'
import { optional, text } from '../../../services/definitions/arguments.ts'
import { pageSize, pageStart } from '../paging.ts'

/** The ID of an object. */
export function id(description: string): TString {
  return Type.String({
    pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    description,
  })
}

/** The query and pagination of all lists. */
export const listQuery = { limit: pageSize(20, 100), after: pageStart } as const
export const listPages = { style: 'last-id', items: '/data', id: '/id', more: '/has_more' } as const

/** IDs in the arguments of several groups of tools. */
export const segment = id('The ID of the segment, from list_segments.')
export const topic = id('The ID of the topic, from list_topics.')

/** A contact. */
export const contact = text('The ID of the contact (from list_contacts), or its email address.', 320, { min: 3 })

/** The time to send at. */
export const scheduledAt = text(
  'The time to send at, at most 30 days ahead: ISO 8601 (2026-03-01T09:00:00Z) or plain English (in 1 hour).',
  100,
)

/** The sender. */
export const from = text('The sender, on a verified domain (list_domains): Ada <ada@example.com>', 320, { min: 3 })

/** The contents of a message. */
export const html = Type.String({ minLength: 1 })
export const plainText = Type.String({ minLength: 1, description: 'Default: derived from html.' })

/** Attachments: the fields that are kept, and the name of a downloaded one. */
export const attachmentFields = 'id filename content_type size content_disposition content_id'
export const fileName = optional(
  text('The name to store it under, such as its filename in the list. Default: the name that Resend sends.', 200, {
    pattern: '^[^\\\\/\\r\\n]+$',
  }),
)

/** Several email addresses. */
export function recipients(description: string) {
  return Type.Array(Type.String({ minLength: 3, maxLength: 320 }), { minItems: 1, maxItems: 50, description })
}

/** The values of a contact's own properties, or of a template's variables. */
export function values(description: string, nullable = false): TObject {
  const types = [Type.String({ maxLength: 2000 }), Type.Number(), ...(nullable ? [Type.Null()] : [])]
  return Type.Object({}, { additionalProperties: Type.Union(types), maxProperties: 100, description })
}
