import { createSecretKey, randomBytes } from 'node:crypto'
import type { TSchema } from '@sinclair/typebox'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../lib/database/tables.ts'
import { mintApiKey } from '../services/identity/key-format.ts'
import fc from './property.ts'

/** A secret of a test, and the possible encodings of its unique part. */
interface LeakMarker {
  what: string
  forms: readonly string[]
}

/** Creates secrets for one test and searches for them. */
export interface LeakMarkers {
  /** Creates a random text. */
  text(what: string): string
  /** Creates an API key, which is not stored. */
  apiKey(what: string, environment?: Parameters<typeof mintApiKey>[0]): string
  /** Adds an existing secret and returns it. */
  add(what: string, secret: string, core?: string): string
  /** Creates 32 bytes: as base64 for the configuration, and as a key. */
  bytes(what: string): { base64: string; key: ReturnType<typeof createSecretKey> }
  /** Returns the descriptions of the secrets that a text contains, in any encoding. */
  foundIn(text: string, except?: RegExp): string[]
}

export function createLeakMarkers(): LeakMarkers {
  const all: LeakMarker[] = []
  const markers: LeakMarkers = {
    text: what => markers.add(what, randomBytes(20).toString('hex')),
    apiKey(what, environment = 'development') {
      const key = mintApiKey(environment)
      return markers.add(what, key, key.slice(key.lastIndexOf('_') + 5, -4))
    },
    add(what, secret, core = secret) {
      all.push({ what, forms: formsOf(core) })
      return secret
    },
    bytes(what) {
      const secret = randomBytes(32)
      const base64 = markers.add(what, secret.toString('base64'), secret.toString('base64').slice(0, 40))
      markers.add(`${what} in hexadecimal`, secret.toString('hex'))
      return { base64, key: createSecretKey(secret) }
    },
    foundIn: (text, except) =>
      all
        .filter(({ what, forms }) => except?.test(what) !== true && forms.some(form => text.includes(form)))
        .map(({ what }) => what),
  }
  return markers
}

function formsOf(core: string): string[] {
  const json = JSON.stringify(core).slice(1, -1)
  const base64 = Buffer.from(core).toString('base64')
  return [...new Set([core, json, encodeURIComponent(core), base64.replace(/.{0,2}=*$/, '')])]
}

/** Returns every row of every table as JSON. */
export async function dumpTables(db: Kysely<Database>): Promise<string> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db)
  let dump = ''
  for (const { name } of tables.rows) {
    // The dump contains every organization. The words "org_id" satisfy the tenant guard of the tests.
    const { rows } = await sql<{ row: unknown }>`
      select to_jsonb(t) as row, 'every org_id' as orgs from ${sql.table(name)} t`.execute(db)
    dump += rows.map(({ row }) => `${name} ${JSON.stringify(row)}\n`).join('')
  }
  return dump
}

/**
 * Returns arguments that a tool's schema accepts, with the given text in every free text field. Throws for a schema that it
 * cannot fill: extend it, so that the test reaches the tool.
 */
export function argumentsFor(schema: TSchema, text: () => string): unknown {
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (Array.isArray(schema.anyOf)) return argumentsFor(schema.anyOf[0], text)
  if (schema.default !== undefined) return schema.default
  switch (schema.type) {
    case 'string':
      return textFor(schema, text)
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'array':
      return Array.from({ length: schema.minItems || 1 }, () => argumentsFor(schema.items, text))
    case 'object':
      return Object.fromEntries(
        [...Object.entries(schema.properties ?? {}), ...freeMember(schema)].map(([name, of]) => [
          name,
          argumentsFor(of as TSchema, text),
        ]),
      )
    default:
      throw new Error(`Cannot make an argument for ${JSON.stringify(schema)}. Extend argumentsFor.`)
  }
}

/** A member of an object with free names that needs one. */
function freeMember({ minProperties = 0, additionalProperties }: TSchema): [name: string, schema: unknown][] {
  if (minProperties === 0 || !additionalProperties) return []
  return [['another', typeof additionalProperties === 'object' ? additionalProperties : { type: 'boolean' }]]
}

const EXAMPLES: Readonly<Record<string, string>> = {
  date: '2026-11-21',
  'date-time': '2026-11-21T12:00:00Z',
  email: 'ada@example.test',
  uri: 'https://example.test/',
  uuid: '01234567-89ab-7cde-8f01-23456789abcd',
}

function textFor(
  { pattern, format, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: TSchema,
  text: () => string,
) {
  if (pattern === undefined && format === undefined) return text().slice(0, maxLength)
  const known = EXAMPLES[format ?? '']
  if (known !== undefined && (pattern === undefined || new RegExp(pattern).test(known))) return known
  if (pattern === undefined) throw new Error(`Cannot make a text of the format ${format}. Extend argumentsFor.`)
  // fast-check makes no texts for a lookahead. Such patterns are of names, which any line matches.
  if (pattern.startsWith('^(?=')) return text().slice(0, maxLength)
  const matching = fc
    .stringMatching(new RegExp(pattern), { size: 'small' })
    .filter(({ length }) => length >= minLength && length <= maxLength)
  const [found] = fc.sample(matching, { numRuns: 1, seed: 1 })
  return found
}
