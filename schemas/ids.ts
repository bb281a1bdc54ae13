import { type TString, Type } from '@sinclair/typebox'

/** What an id is of: the prefix it carries on the wire and in the database. */
export type IdPrefix =
  | 'org'
  | 'usr'
  | 'key'
  | 'agt'
  | 'acc'
  | 'rem'
  | 'mem'
  | 'hld'
  | 'art'
  | 'snp'
  | 'use'
  | 'aud'
  | 'job'
  | 'txn'

/** Makes ids: the prefix and a lower-case UUIDv7 without hyphens, so that ids sort by the time they were made. */
export type IdSource = (prefix: IdPrefix) => string

/** The schema of an id: `mem_` and 32 lower-case hexadecimal digits. */
export function Id(prefix: IdPrefix): TString {
  return Type.String({ pattern: `^${prefix}_[0-9a-f]{32}$` })
}

/** Whether a text has the form of an ID. Any other text names nothing, and may not even be storable (U+0000). */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^_[0-9a-f]{32}$/.test(text.slice(prefix.length))
}
