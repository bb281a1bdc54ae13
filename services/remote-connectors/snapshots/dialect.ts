import type { SchemaObject } from './schema-places.ts'

/** The versions of JSON Schema that arguments are checked in. */
export type Dialect = '2020-12' | 'draft-07'

const DIALECTS: ReadonlyMap<unknown, Dialect> = new Map([
  [undefined, '2020-12'],
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  ['http://json-schema.org/draft-07/schema', 'draft-07'],
  ['https://json-schema.org/draft-07/schema', 'draft-07'],
])

/** What a schema says it is written in, 2020-12 where it says nothing; undefined for what is not known here. */
export function dialectOf({ $schema }: SchemaObject): Dialect | undefined {
  return DIALECTS.get(typeof $schema === 'string' ? $schema.replace(/#$/, '') : $schema)
}
