import type { ErrorObject, ValidateFunction } from 'ajv'
import { LRUCache } from 'lru-cache'
import { BudgetExceeded, createComputeBudget } from '../../../lib/compute-budget.ts'
import type { LinearPattern } from '../../../lib/linear-pattern.ts'
import type { SchemaRules } from '../../../lib/schema-faults/check-value.ts'
import { describeFaults, type FirstFault } from '../../../lib/schema-faults/describe-faults.ts'
import { mend } from '../../../lib/schema-faults/mend.ts'
import type { PinnedSchema, PinnedTool } from '../snapshot.ts'
import { compileSchema, dialectOf } from './pin/compile-schema.ts'
import { isSchemaObject, mapSchemas, type SchemaObject } from './pin/schema-places.ts'

const MAX_ELEMENTS = 100_000
const MAX_DEPTH = 64
const MAX_VALIDATORS = 500
/** The maximum size of the cached schemas, in characters. A validator is about ten times as large as its schema. */
const MAX_KEPT = 4 * 1024 * 1024

const UNCHECKABLE =
  "The arguments cannot be validated, because the tool's schema does not compile. An admin must refresh the connector."
/** The refusal of arguments whose check would block other calls. */
export const TOO_MUCH =
  "The arguments take too long to validate against the tool's schema. Send fewer or shorter values."

interface Validator {
  /** The schema without the requirements that a default meets. */
  readonly schema: PinnedSchema
  readonly validate: ValidateFunction
  /** Validates against the schema as it is pinned, if it differs. */
  readonly validateStrictly: ValidateFunction | undefined
  /** The compiled patterns of the schema, for the second pass. */
  readonly patterns: Map<string, LinearPattern>
  readonly isDraft07: boolean
}

/** Validates arguments against the pinned schemas. */
export interface PinnedValidators {
  /** Why the arguments are invalid, as AnyTool.refuse says it; undefined if they are valid. Never throws. */
  refuse(tool: Pick<PinnedTool, 'hash' | 'inputSchema'>, args: unknown): string | undefined
  /** Whether structured content matches an output schema, as far as it can be checked. Never throws. */
  matches(tool: Pick<PinnedTool, 'hash'> & { outputSchema: PinnedSchema }, content: unknown): boolean
  /** Corrects rejected arguments, like AnyTool.mend. `rename` gives decoded members their original names. Never throws. */
  mend(tool: Pick<PinnedTool, 'hash' | 'inputSchema'>, args: unknown, rename?: (args: unknown) => unknown): unknown
}

/** Caches validators by the hashes of their tools. The first call of a tool compiles its validator, in up to 50 ms. */
export function createPinnedValidators(): PinnedValidators {
  // One budget suffices, because validations are synchronous.
  const budget = createComputeBudget()
  const validators = new LRUCache<string, { validator: Validator | undefined; size: number }>({
    max: MAX_VALIDATORS,
    maxSize: MAX_KEPT,
    sizeCalculation: ({ size }) => size,
  })

  function validatorOf({ hash, inputSchema }: Pick<PinnedTool, 'hash' | 'inputSchema'>): Validator | undefined {
    const kept = validators.get(hash)
    if (kept !== undefined) return kept.validator
    const validator = compiled(inputSchema)
    validators.set(hash, { validator, size: JSON.stringify(inputSchema).length })
    return validator
  }

  function compiled(schema: PinnedTool['inputSchema']): Validator | undefined {
    try {
      const dialect = dialectOf(schema)
      if (dialect === undefined) return undefined
      const patterns: Validator['patterns'] = new Map()
      const compile = (form: PinnedSchema) => compileSchema(form, dialect, budget, patterns)
      const lenient = withoutDefaulted(schema)
      return {
        schema: lenient,
        validate: compile(lenient),
        validateStrictly: lenient === schema ? undefined : compile(schema),
        patterns,
        isDraft07: dialect === 'draft-07',
      }
    } catch {
      return undefined
    }
  }

  function rulesOf({ patterns, isDraft07 }: Validator): SchemaRules {
    return { budget, isDraft07, matches: (pattern, text) => patterns.get(pattern)?.test(text) ?? true }
  }

  const self: PinnedValidators = {
    refuse(tool, args = {}) {
      const tooLarge = sizeRefusal(args)
      if (tooLarge !== undefined) return tooLarge
      const validator = validatorOf(tool)
      if (validator === undefined) return UNCHECKABLE
      const { schema, validate, validateStrictly } = validator
      try {
        budget.reset()
        if (validate(args)) return undefined
        const { errors } = validate
        // Fewer requirements can match more alternatives of a `oneOf`, which then rejects.
        if (validateStrictly !== undefined) budget.reset()
        if (validateStrictly?.(args) === true) return undefined
        return describeFaults({
          schema,
          value: args,
          rules: rulesOf(validator),
          first: () => firstFault(errors?.at(-1)),
        })
      } catch (error) {
        // Deeply nested references cause a RangeError.
        return error instanceof BudgetExceeded || error instanceof RangeError ? TOO_MUCH : UNCHECKABLE
      }
    },

    matches({ hash, outputSchema }, content) {
      const validator = validatorOf({ hash: `${hash} output`, inputSchema: outputSchema })
      if (validator === undefined || sizeRefusal(content) !== undefined) return true
      const { validate, validateStrictly = validate } = validator
      try {
        budget.reset()
        return validateStrictly(content) === true
      } catch {
        return true
      }
    },

    mend(tool, args, rename) {
      const validator = sizeRefusal(args) === undefined ? validatorOf(tool) : undefined
      if (validator === undefined) return undefined
      const accepts = (mended: unknown) => self.refuse(tool, mended) === undefined
      return mend({ schema: validator.schema, args, rules: rulesOf(validator), accepts, ...(rename && { rename }) })
    },
  }
  return self
}

/**
 * The schema, required properties with a `default` made optional: their servers insert the default. The same object if it has
 * none.
 */
function withoutDefaulted(schema: PinnedSchema): PinnedSchema {
  let found = false
  const lenient = mapSchemas(schema, inner => {
    const { required, properties } = inner
    if (!Array.isArray(required) || !isSchemaObject(properties)) return inner
    const enforced = required.filter(name => !hasDefault(properties, name))
    if (enforced.length === required.length) return inner
    found = true
    return { ...inner, required: enforced }
  })
  return found ? { ...lenient, type: 'object' } : schema
}

function hasDefault(properties: SchemaObject, name: unknown): boolean {
  if (typeof name !== 'string' || !Object.hasOwn(properties, name)) return false
  const property = properties[name]
  return isSchemaObject(property) && Object.hasOwn(property, 'default')
}

function sizeRefusal(args: unknown): string | undefined {
  let elements = 0
  let level = [args]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH)
      return `The arguments are nested more than ${MAX_DEPTH} levels deep. Send less deeply nested values.`
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      for (const member of Object.values(value)) next.push(member)
      if (elements + next.length > MAX_ELEMENTS)
        return `The arguments have more than ${MAX_ELEMENTS} values. Send fewer.`
    }
    elements += next.length
    level = next
  }
  return undefined
}

/** The last error is the outermost. The errors before it explain why each alternative failed. */
function firstFault(error: ErrorObject | undefined): FirstFault | undefined {
  if (error === undefined) return undefined
  const { additionalProperty, unevaluatedProperty } = error.params
  return { pointer: error.instancePath, unknown: additionalProperty ?? unevaluatedProperty }
}
