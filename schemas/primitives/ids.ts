import { type TString, Type } from '@sinclair/typebox'

/** The prefix of an ID, which tells its type. */
type IdPrefix =
  | 'org'
  | 'usr'
  | 'key'
  | 'agt'
  | 'asi'
  | 'acc'
  | 'rem'
  | 'mem'
  | 'hld'
  | 'art'
  | 'gen'
  | 'snp'
  | 'use'
  | 'aud'
  | 'job'
  | 'txn'
  | 'pay'
  | 'inv'
  | 'clm'
  | 'pln'
  | 'ses'
  | 'pag'

/** Creates IDs: the prefix and a lower-case UUIDv7 without hyphens, so that IDs sort by creation time. */
export type IdSource = (prefix: IdPrefix) => string

/** The schema of an ID: `mem_` and 32 lower-case hexadecimal digits. */
export function Id(prefix: IdPrefix): TString {
  return Type.String({ pattern: `^${prefix}_[0-9a-f]{32}$` })
}

/** Whether a text has the form of an ID. Any other text names nothing, and may not even be storable (U+0000). */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^_[0-9a-f]{32}$/.test(text.slice(prefix.length))
}
