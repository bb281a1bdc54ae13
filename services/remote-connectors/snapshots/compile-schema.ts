import { _, Ajv, type AnySchemaObject, type CodeKeywordDefinition, type Options, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { canonicalJson } from '../../../lib/canonical-json.ts'
import { linearPattern } from './linear-pattern.ts'
import { childrenOf, mapSchemas, type SchemaObject } from './schema-places.ts'
import type { WorkMeter } from './work-meter.ts'

/** Has a schema's work counted whenever it judges a value; a name that no keyword of an upstream's has. */
const WORK = 'gateway:work'
/** Keywords that read the whole of a text, or all names of an object. */
const READS_WHOLE = [
  ...['minLength', 'maxLength', 'minProperties', 'maxProperties', 'propertyNames', 'patternProperties'],
  ...['additionalProperties', 'unevaluatedProperties'],
]

/**
 * The validator of a schema that was found good; every check of it counts on the meter, and throws its OutOfWork.
 * Throws what Ajv throws, and a RangeError for what is too wide for a function.
 */
export function compileSchema(schema: SchemaObject, dialect: Dialect, meter: WorkMeter): ValidateFunction {
  const options: Options = {
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    // An upstream's formats are notes; patterns are what is checked.
    validateFormats: false,
    // A schema referred to a hundred times is compiled once.
    inlineRefs: false,
    loopEnum: 10,
    loopRequired: 10,
    // `constructor` and `toString` are arguments only where they are given.
    ownProperties: true,
    code: { optimize: false, regExp: Object.assign((pattern: string) => linearPattern(pattern, meter), { code: '' }) },
  }
  // One for each schema: an instance keeps all that was ever compiled with it.
  const ajv = dialect === '2020-12' ? new Ajv2020(options) : new Ajv(options)
  ajv.addKeyword(workKeyword(meter))
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: false,
    error: { message: 'must NOT have duplicate items' },
    validate: (unique: boolean, items: unknown[]) => !unique || areUnique(items, meter),
  })
  return ajv.compile(mapSchemas(schema, compilable) as AnySchemaObject)
}

function workKeyword(meter: WorkMeter): CodeKeywordDefinition {
  return {
    keyword: WORK,
    schemaType: 'array',
    // Ahead of all that leads on to other schemas.
    before: '$ref',
    code({ gen, data, schema: [units, whole] }) {
      const counted = gen.scopeValue('obj', { ref: meter })
      gen.code(whole ? _`${counted}.spend(${units} + ${counted}.sizeOf(${data}))` : _`${counted}.spend(${units})`)
    },
  }
}

/** Ajv compares every two items, which costs seconds. */
function areUnique(items: readonly unknown[], meter: WorkMeter): boolean {
  const seen = new Set<string>()
  for (const item of items) {
    const text = canonicalJson(item)
    meter.spend(8 + (text.length >> 2))
    if (seen.size === seen.add(text).size) return false
  }
  return true
}

/** A schema without what Ajv takes for more than JSON Schema says, and with its work counted. */
function compilable(schema: SchemaObject): SchemaObject {
  const { $schema, $id, $async, id, nullable, ...rest } = schema
  return {
    ...rest,
    ...(nullable === true && rest.type !== undefined && { nullable }),
    [WORK]: [unitsOf(rest), READS_WHOLE.some(keyword => Object.hasOwn(rest, keyword))],
  }
}

/** What a reference costs beside what it leads to: Ajv copies the errors of all that failed before. */
const REFERENCE = 8

function unitsOf(schema: SchemaObject): number {
  const { enum: values, const: value, required, $ref, $dynamicRef } = schema
  const text = JSON.stringify([values, value, required])
  const refers = $ref !== undefined || $dynamicRef !== undefined
  return 1 + (text.length >> 4) + [...childrenOf(schema)].length + (refers ? REFERENCE : 0)
}

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
