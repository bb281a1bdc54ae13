import { Type } from '@sinclair/typebox'
import { cursor, limit } from '../paging.ts'

/** The ID of an object. */
export function id(description: string) {
  return Type.String({
    pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    description,
  })
}

/** The paging arguments, query and pagination of all Resend lists. */
export const page = { limit: limit({ max: 100, default: 20 }), cursor }
export const listQuery = { limit: '{limit}', after: '{cursor}' } as const
export const listPages = { style: 'last-id', items: '/data', id: '/id', more: '/has_more' } as const

/** The time to send at. */
export const scheduledAt = Type.String({
  minLength: 1,
  maxLength: 100,
  description:
    'The time to send at, at most 30 days ahead: ISO 8601 (2026-03-01T09:00:00Z) or plain English (in 1 hour).',
})

/** The sender. */
export const from = Type.String({
  minLength: 3,
  maxLength: 320,
  description: 'The sender, on a verified domain (list_domains): Ada <ada@example.com>',
})
