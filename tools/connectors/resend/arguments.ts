import { Type } from '@sinclair/typebox'
import { cursor, limit } from '../paging.ts'

/** Something of Resend's by id. */
export function id(description: string) {
  return Type.String({
    pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    description,
  })
}

/** How every list of Resend's is asked for, and goes on. */
export const page = { limit: limit({ max: 100, default: 20 }), cursor }
export const listQuery = { limit: '{limit}', after: '{cursor}' } as const
export const listPages = { style: 'last-id', items: '/data', id: '/id', more: '/has_more' } as const

/** When something is sent. */
export const scheduledAt = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'ISO 8601, 2026-03-01T09:00:00Z, or plain English: in 1 hour. At most 30 days ahead.',
})

/** Who it is from. */
export const from = Type.String({
  minLength: 3,
  maxLength: 320,
  description: 'An address of a verified domain (list_domains): Ada <ada@example.com>',
})
