import { createSecretKey, randomBytes } from 'node:crypto'
import type { TSchema } from '@sinclair/typebox'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../plugins/database/tables.ts'
import { mintApiKey } from '../plugins/identity/key-format.ts'

/** A secret that was put in somewhere, and the part of it that nothing else holds. */
export interface Canary {
  what: string
  core: string
}

/** Secrets made for one test, and the search for them. */
export interface Canaries {
  /** A random text of its own. */
  text(what: string): string
  /** An API key; stored nowhere. */
  apiKey(what: string, environment?: Parameters<typeof mintApiKey>[0]): string
  /** Takes in a secret that was made elsewhere; answers it. */
  add(what: string, secret: string, core?: string): string
  /** 32 bytes, as the text of a configuration and as the key made of it. */
  bytes(what: string): { base64: string; key: ReturnType<typeof createSecretKey> }
  /** What each secret that stands in a text is, however it is encoded. */
  foundIn(text: string, except?: RegExp): string[]
}

export function createCanaries(): Canaries {
  const all: Canary[] = []
  const canaries: Canaries = {
    text: what => canaries.add(what, randomBytes(20).toString('hex')),
    apiKey(what, environment = 'development') {
      const key = mintApiKey(environment)
      return canaries.add(what, key, key.slice(key.lastIndexOf('_') + 5, -4))
    },
    add(what, secret, core = secret) {
      all.push({ what, core })
      return secret
    },
    bytes(what) {
      const secret = randomBytes(32)
      const base64 = canaries.add(what, secret.toString('base64'), secret.toString('base64').slice(0, 40))
      canaries.add(`${what} in hexadecimal`, secret.toString('hex'))
      return { base64, key: createSecretKey(secret) }
    },
    foundIn: (text, except) =>
      all
        .filter(({ what, core }) => except?.test(what) !== true && formsOf(core).some(form => text.includes(form)))
        .map(({ what }) => what),
  }
  return canaries
}

function formsOf(core: string): string[] {
  const json = JSON.stringify(core).slice(1, -1)
  return [
    core,
    json,
    encodeURIComponent(core),
    Buffer.from(core)
      .toString('base64')
      .replace(/.{0,2}=*$/, ''),
  ]
}

/** Every row of every table as JSON. */
export async function dumpTables(db: Kysely<Database>): Promise<string> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db)
  let dump = ''
  for (const { name } of tables.rows) {
    // The dump is of every organization (org_id) on purpose: the guard of the tests reads the words.
    const { rows } = await sql<{ row: unknown }>`
      select to_jsonb(t) as row, 'every org_id' as orgs from ${sql.table(name)} t`.execute(db)
    dump += rows.map(({ row }) => `${name} ${JSON.stringify(row)}\n`).join('')
  }
  return dump
}

/**
 * Arguments that a tool's schema takes, with a text of the caller's own wherever a text may stand. Throws for a schema
 * that it does not know how to fill: teach it, so that the tool is reached.
 */
export function argumentsFor(schema: TSchema, text: () => string): unknown {
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (Array.isArray(schema.anyOf)) return argumentsFor(schema.anyOf[0], text)
  if (schema.default !== undefined) return schema.default
  switch (schema.type) {
    case 'string': {
      const id = /^\^(\w+_)\[0-9a-f\]\{32\}\$$/.exec(schema.pattern ?? '')?.[1]
      if (id !== undefined) return id + '0'.repeat(32)
      if (schema.pattern !== undefined) throw new Error(`No text is known for the pattern ${schema.pattern}.`)
      return text()
    }
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'array':
      return [argumentsFor(schema.items, text)]
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, of]) => [name, argumentsFor(of as TSchema, text)]),
      )
    default:
      throw new Error(`No argument is known for ${JSON.stringify(schema)}.`)
  }
}
