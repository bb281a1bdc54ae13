import { Type } from '@sinclair/typebox'

/** All of these tools read, and reach pages of anyone. */
export const READS_THE_WEB = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true }

/** The URL of a page. Whether it may be reached is checked when it is fetched. */
export const PageUrl = Type.String({
  minLength: 4,
  maxLength: 2_000,
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$',
  description: 'The URL of the page, https or http.',
})
