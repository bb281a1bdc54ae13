import { _, Ajv, type AnySchemaObject, type CodeKeywordDefinition, type Options, type ValidateFunction } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { canonicalJson } from '../../../../lib/canonical-json.ts'
import type { ComputeBudget } from '../../../../lib/compute-budget.ts'
import { type LinearPattern, linearPattern } from '../../../../lib/linear-pattern.ts'
import { childrenOf, mapSchemas, type SchemaObject } from './schema-places.ts'

/** A keyword that counts the work of a schema on each validation. No keyword of an upstream has this name. */
const WORK = 'gateway:work'
/** Keywords that read a whole string or all names of an object. */
const READS_WHOLE = [
  ...['minLength', 'maxLength', 'minProperties', 'maxProperties', 'propertyNames', 'patternProperties'],
  ...['additionalProperties', 'unevaluatedProperties'],
]

/**
 * Compiles a schema that passed the checks of pin-schema.ts. The validator counts its work against the budget and throws
 * BudgetExceeded. Adds its patterns to `patterns`. Throws what Ajv throws, and a RangeError if the schema is too large for a
 * function.
 */
export function compileSchema(
  schema: SchemaObject,
  dialect: Dialect,
  budget: ComputeBudget,
  patterns = new Map<string, LinearPattern>(),
): ValidateFunction {
  const options: Options = {
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    // Formats are only annotations.
    validateFormats: false,
    // Compile a schema with many references once.
    inlineRefs: false,
    loopEnum: 10,
    loopRequired: 10,
    // `constructor` and `toString` count as arguments only if they are sent.
    ownProperties: true,
    code: { optimize: false, regExp: Object.assign(compilePattern, { code: '' }) },
  }
  function compilePattern(pattern: string): LinearPattern {
    const compiled = patterns.get(pattern) ?? linearPattern(pattern, budget)
    patterns.set(pattern, compiled)
    return compiled
  }
  // One instance per schema, because an instance never releases what it has compiled.
  const ajv = new VALIDATORS[dialect](options)
  ajv.addKeyword(workKeyword(budget))
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: false,
    error: { message: 'must NOT have duplicate items' },
    validate: (unique: boolean, items: unknown[]) => !unique || areUnique(items, budget),
  })
  return ajv.compile(mapSchemas(schema, compilable) as AnySchemaObject)
}

function workKeyword(budget: ComputeBudget): CodeKeywordDefinition {
  return {
    keyword: WORK,
    schemaType: 'array',
    // Run before the keywords that lead to other schemas.
    before: '$ref',
    code({ gen, data, schema: [units, whole] }) {
      const counted = gen.scopeValue('obj', { ref: budget })
      gen.code(whole ? _`${counted}.spend(${units} + ${counted}.sizeOf(${data}))` : _`${counted}.spend(${units})`)
    },
  }
}

/** Ajv compares all pairs of items, which can take seconds. */
function areUnique(items: readonly unknown[], budget: ComputeBudget): boolean {
  const seen = new Set<string>()
  for (const item of items) {
    const text = canonicalJson(item)
    budget.spend(8 + (text.length >> 2))
    if (seen.size === seen.add(text).size) return false
  }
  return true
}

/** A schema without the keywords that Ajv extends beyond JSON Schema, and with the work counter. */
function compilable(schema: SchemaObject): SchemaObject {
  const { $schema, $id, $async, id, nullable, ...rest } = schema
  return {
    ...rest,
    ...(nullable === true && rest.type !== undefined && { nullable }),
    [WORK]: [unitsOf(rest), READS_WHOLE.some(keyword => Object.hasOwn(rest, keyword))],
  }
}

/** The cost of a reference besides its target: Ajv copies all previous errors. */
const REFERENCE = 8

function unitsOf(schema: SchemaObject): number {
  const { enum: values, const: value, required, $ref, $dynamicRef } = schema
  const text = JSON.stringify([values, value, required])
  const refers = $ref !== undefined || $dynamicRef !== undefined
  return 1 + (text.length >> 4) + [...childrenOf(schema)].length + (refers ? REFERENCE : 0)
}

/** The supported versions of JSON Schema. */
export type Dialect = keyof typeof VALIDATORS

const VALIDATORS = { '2020-12': Ajv2020, '2019-09': Ajv2019, 'draft-07': Ajv }

const DIALECTS: ReadonlyMap<unknown, Dialect> = new Map([
  [undefined, '2020-12'],
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  ['https://json-schema.org/draft/2019-09/schema', '2019-09'],
  ['http://json-schema.org/draft-07/schema', 'draft-07'],
  ['https://json-schema.org/draft-07/schema', 'draft-07'],
  // Draft-07 only adds keywords to it.
  ['http://json-schema.org/draft-06/schema', 'draft-07'],
])

/** The dialect of a schema, by default 2020-12; undefined if it is not supported. */
export function dialectOf({ $schema }: SchemaObject): Dialect | undefined {
  return DIALECTS.get(typeof $schema === 'string' ? $schema.replace(/#$/, '') : $schema)
}
