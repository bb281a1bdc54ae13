/**
 * Writes `parameters.json`, the schemas of the requests that the double accepts, from the type declarations of Stripe's SDK.
 * Run it after an update of the SDK, with ts-json-schema-generator 2 or newer, which is not a dependency:
 *
 *     npx ts-json-schema-generator --no-type-check --no-top-ref -p test/stripe/parameters.ts -t Parameters -o schema.json
 *     node test/stripe/make-parameters.ts schema.json
 */
import { readFileSync, writeFileSync } from 'node:fs'
import Stripe from 'stripe'

interface Schema {
  [keyword: string]: unknown
}

/** Large parameters that we never send. Whoever sends one gets an error. */
const LEFT_OUT = new Set(['payment_method_options', 'payment_method_data', 'shipping_address_collection'])

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** Without descriptions, and with closed enums: the SDK's also accept any other text. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape)
  if (!isSchema(value)) return value
  const { description, ...rest } = value
  const kept = Object.entries(typeof description === 'string' ? rest : value).map(([keyword, held]) => [
    keyword,
    keyword === 'properties' && isSchema(held) ? withoutLarge(held) : shape(held),
  ])
  return closed(Object.fromEntries(kept))
}

function withoutLarge(properties: Schema): Schema {
  const kept = Object.entries(properties).filter(([name]) => !LEFT_OUT.has(name))
  return Object.fromEntries(kept.map(([name, schema]) => [name, shape(schema)]))
}

function closed({ anyOf, ...schema }: Schema): Schema {
  if (!Array.isArray(anyOf)) return anyOf === undefined ? schema : { ...schema, anyOf }
  const members = (anyOf as Schema[]).filter(({ $ref }) => $ref !== '#/definitions/OtherString')
  const texts = members.filter(member => typeof member.const === 'string')
  const others = members.filter(member => typeof member.const !== 'string')
  const words = texts.length === 0 ? [] : [{ type: 'string', enum: texts.map(member => member.const) }]
  const all = [...words, ...others]
  return all.length === 1 ? { ...schema, ...all[0] } : { ...schema, anyOf: all }
}

/** Adds the definitions that a schema refers to. */
function collect(value: unknown, from: Schema, into: Schema): void {
  if (Array.isArray(value)) for (const member of value) collect(member, from, into)
  else if (isSchema(value))
    for (const [keyword, held] of Object.entries(value)) {
      collect(held, from, into)
      if (keyword !== '$ref') continue
      const name = decodeURIComponent(String(held).slice('#/definitions/'.length))
      if (name in into) continue
      into[name] = from[name]
      collect(from[name], from, into)
    }
}

const made = shape(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))) as Schema
const definitions: Schema = {}
collect(made.properties, made.definitions as Schema, definitions)
const version = Stripe.PACKAGE_VERSION
const file = { sdk: version, requests: made.properties, definitions }
writeFileSync(new URL('parameters.json', import.meta.url), `${JSON.stringify(file)}\n`)
