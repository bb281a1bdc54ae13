import type { TString } from '@sinclair/typebox'
import { text } from '../../../services/definitions/arguments.ts'

/** A conversation, by ID. */
export const channel = text(
  'The ID of a channel or direct message, not its name: C0123456789. From list_channels or search_messages.',
  32,
  { pattern: '^[CDG][A-Z0-9]{2,30}$' },
)

/** A person, by ID. */
export function person(
  description = 'The ID of a person: U0123456789. From list_users or find_user_by_email.',
): TString {
  return text(description, 32, { pattern: '^[UW][A-Z0-9]{2,30}$' })
}

/** How Slack pages most lists. */
export function pages(items: string) {
  return { style: 'cursor', items, next: '/response_metadata/next_cursor' } as const
}
