import { sanitizeText, sanitizeTitle } from '../../../lib/sanitize-text.ts'
import { createWorkMeter } from '../../../lib/work-meter.ts'
import type { PinnedSchema } from '../snapshot.ts'
import { compileSchema, dialectOf } from './compile-schema.ts'
import { referenceFault } from './references.ts'
import { formFault, headerMarkFault, patternFault, shapeFault, sizeFault, textFault } from './schema-faults.ts'
import { isSchemaObject, mapSchemas, placesOf, type SchemaObject } from './schema-places.ts'

const MAX_BYTES = 65_536
const MAX_DEPTH = 32
const MAX_TITLE = 128
const MAX_TEXT = 4_096

/**
 * Sanitizes and validates a schema. Boolean property schemas become objects, which clients of 2025 require. Returns the pinned
 * schema, or the fault as the end of a sentence whose subject is the schema. Blocks for up to 50 ms.
 */
export function pinSchema(sent: unknown): { pinned: PinnedSchema } | { fault: string } {
  if (!isSchemaObject(sent)) return { fault: 'is missing or is not an object' }
  if (sent.type !== 'object') return { fault: 'is not of type "object"' }
  const form = formFault(sent, MAX_DEPTH)
  if (form !== undefined) return { fault: form }
  if (Buffer.byteLength(JSON.stringify(sent)) > MAX_BYTES) return { fault: `is larger than ${MAX_BYTES / 1024} KiB` }
  const schema = withObjects(mapSchemas(sent, withCleanTexts))
  const fault = faultOf(schema)
  return fault === undefined ? { pinned: schema } : { fault }
}

function faultOf(schema: SchemaObject): string | undefined {
  const dialect = dialectOf(schema)
  if (dialect === undefined) return 'uses an unsupported dialect: use JSON Schema 2020-12 or draft-07'
  const places = placesOf(schema)
  const fault =
    textFault(schema) ??
    sizeFault(places) ??
    shapeFault(places) ??
    referenceFault(places, dialect) ??
    patternFault(places) ??
    headerMarkFault(places)
  if (fault !== undefined) return fault
  try {
    compileSchema(schema, dialect, createWorkMeter())
    return undefined
  } catch (error) {
    if (error instanceof RangeError) return 'is too large to be checked'
    return `is not valid: ${sanitizeTitle(error instanceof Error ? error.message : '', 200)}`
  }
}

function withCleanTexts(schema: SchemaObject): SchemaObject {
  const texts = Object.entries(schema).flatMap(([keyword, text]): [string, string][] => {
    if (typeof text !== 'string') return []
    if (keyword === 'title') return [[keyword, sanitizeTitle(text, MAX_TITLE)]]
    return keyword === 'description' || keyword === '$comment' ? [[keyword, sanitizeText(text, MAX_TEXT)]] : []
  })
  return { ...schema, ...Object.fromEntries(texts) }
}

function withObjects(schema: SchemaObject): PinnedSchema {
  const { properties } = schema
  const asObject = (value: unknown) => (value === true ? {} : value === false ? { not: {} } : value)
  return {
    ...schema,
    type: 'object',
    ...(isSchemaObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, asObject(value)])),
    }),
  }
}
