import type { ErrorObject, ValidateFunction } from 'ajv'
import { LRUCache } from 'lru-cache'
import { sanitizeTitle } from '../../../lib/sanitize-text.ts'
import type { PinnedTool } from '../snapshot.ts'
import { compileSchema, dialectOf } from './compile-schema.ts'
import { createWorkMeter, OutOfWork } from './work-meter.ts'

const MAX_ELEMENTS = 100_000
const MAX_DEPTH = 64
const MAX_VALIDATORS = 500
/** The maximum size of the cached schemas, in characters. A validator is about ten times as large as its schema. */
const MAX_KEPT = 4 * 1024 * 1024

const UNCHECKABLE = "/ cannot be validated: the tool's schema does not compile. An admin must refresh the connector."
const TOO_MUCH = "/ takes too long to validate against the tool's schema: send fewer or shorter values"

/** Validates arguments against the pinned schemas. */
export interface PinnedValidators {
  /** Why the arguments are invalid, in the form of AnyTool.refuse; undefined if they are valid. Never throws. */
  refuse(tool: Pick<PinnedTool, 'hash' | 'inputSchema'>, args: unknown): string | undefined
}

/** Caches validators by the hashes of their tools. The first call of a tool compiles its validator, in up to 50 ms. */
export function createPinnedValidators(): PinnedValidators {
  // One meter suffices, because validations are synchronous.
  const meter = createWorkMeter()
  const validators = new LRUCache<string, { validate: ValidateFunction | undefined; size: number }>({
    max: MAX_VALIDATORS,
    maxSize: MAX_KEPT,
    sizeCalculation: ({ size }) => size,
  })

  function validatorOf({ hash, inputSchema }: Pick<PinnedTool, 'hash' | 'inputSchema'>): ValidateFunction | undefined {
    const kept = validators.get(hash)
    if (kept !== undefined) return kept.validate
    const validate = compiled(inputSchema)
    validators.set(hash, { validate, size: JSON.stringify(inputSchema).length })
    return validate
  }

  function compiled(schema: PinnedTool['inputSchema']): ValidateFunction | undefined {
    try {
      const dialect = dialectOf(schema)
      return dialect === undefined ? undefined : compileSchema(schema, dialect, meter)
    } catch {
      return undefined
    }
  }

  return {
    refuse(tool, args = {}) {
      const tooLarge = sizeFault(args)
      if (tooLarge !== undefined) return `/ ${tooLarge}`
      const validate = validatorOf(tool)
      if (validate === undefined) return UNCHECKABLE
      try {
        meter.reset()
        return validate(args) ? undefined : describe(validate.errors ?? [])
      } catch (error) {
        // Deeply nested references cause a RangeError.
        return error instanceof OutOfWork || error instanceof RangeError ? TOO_MUCH : UNCHECKABLE
      }
    },
  }
}

function sizeFault(args: unknown): string | undefined {
  let elements = 0
  let level = [args]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} levels deep`
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      for (const member of Object.values(value)) next.push(member)
      if (elements + next.length > MAX_ELEMENTS) return `has more than ${MAX_ELEMENTS} values`
    }
    elements += next.length
    level = next
  }
  return undefined
}

/** Describes the last error, which is the outermost. The errors before it explain why each alternative failed. */
function describe(errors: readonly ErrorObject[]): string {
  const last = errors.at(-1)
  if (last === undefined) return '/ does not match the schema'
  const inner = errors.slice(0, -1).map(error => within(error, last))
  const reasons = inner.length === 0 ? '' : `: ${[...new Set(inner)].slice(0, 3).join(', or ')}`
  return sanitizeTitle(`${last.instancePath || '/'} ${reasonOf(last)}${reasons}`, 500)
}

function within(error: ErrorObject, outer: ErrorObject): string {
  const path = error.instancePath.slice(outer.instancePath.length)
  return path === '' ? reasonOf(error) : `${path} ${reasonOf(error)}`
}

function reasonOf({ keyword, message, params }: ErrorObject): string {
  const name = params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName
  if (typeof name === 'string') return `${message}: ${name}`
  if (keyword === 'enum') return `${message}: ${JSON.stringify(params.allowedValues).slice(1, 200)}`
  if (keyword === 'const') return `${message} ${JSON.stringify(params.allowedValue).slice(0, 200)}`
  return message ?? 'does not match the schema'
}
