import { createComputeBudget } from '../../../../lib/compute-budget.ts'
import { sanitizeText, sanitizeTitle } from '../../../../lib/sanitize-text.ts'
import type { PinnedSchema } from '../../snapshot.ts'
import { compileSchema, dialectOf } from './compile-schema.ts'
import { referenceRejection } from './references.ts'
import { isSchemaObject, mapSchemas, placesOf, type SchemaObject } from './schema-places.ts'
import {
  formRejection,
  headerMarkRejection,
  patternRejection,
  shapeRejection,
  sizeRejection,
  textRejection,
} from './schema-rejections.ts'

const MAX_BYTES = 65_536
const MAX_DEPTH = 32
const MAX_TITLE = 128
const MAX_TEXT = 4_096

/**
 * Sanitizes and validates a schema. Boolean property schemas become objects, which clients of 2025 require. Returns the pinned
 * schema, or why it is rejected, as the end of a sentence whose subject is the schema. Blocks for up to 50 ms.
 */
export function pinSchema(sent: unknown): { pinned: PinnedSchema } | { reason: string } {
  if (!isSchemaObject(sent)) return { reason: 'is missing or is not an object' }
  if (sent.type !== 'object') return { reason: 'is not of type "object"' }
  const form = formRejection(sent, MAX_DEPTH)
  if (form !== undefined) return { reason: form }
  if (Buffer.byteLength(JSON.stringify(sent)) > MAX_BYTES) return { reason: `is larger than ${MAX_BYTES / 1024} KiB` }
  const isOld = dialectOf(sent) === '2019-09'
  const cleaned = mapSchemas(sent, inner => withCleanTexts(isOld ? withoutRecursiveRef(inner) : inner))
  const schema = withObjects(cleaned)
  const reason = rejectionOf(schema)
  return reason === undefined ? { pinned: schema } : { reason }
}

function rejectionOf(schema: SchemaObject): string | undefined {
  const dialect = dialectOf(schema)
  if (dialect === undefined) return 'uses an unsupported dialect: use JSON Schema 2020-12, 2019-09 or draft-07'
  const places = placesOf(schema)
  const rejection =
    textRejection(schema) ??
    sizeRejection(places) ??
    shapeRejection(places) ??
    referenceRejection(places, dialect) ??
    patternRejection(places) ??
    headerMarkRejection(places)
  if (rejection !== undefined) return rejection
  try {
    compileSchema(schema, dialect, createComputeBudget())
    return undefined
  } catch (error) {
    if (error instanceof RangeError) return 'is too large to be checked'
    return `is not valid: ${sanitizeTitle(error instanceof Error ? error.message : '', 200)}`
  }
}

/** In a single document, the $recursiveRef of 2019-09 is a reference to the root. */
function withoutRecursiveRef(schema: SchemaObject): SchemaObject {
  const { $recursiveRef, $recursiveAnchor, ...rest } = schema
  return $recursiveRef === '#' && rest.$ref === undefined ? { ...rest, $ref: '#' } : schema
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
