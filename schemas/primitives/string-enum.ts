import { Kind, type TSchema, Type, TypeRegistry } from '@sinclair/typebox'
import { DefaultErrorFunction, SetErrorFunction } from '@sinclair/typebox/errors'

interface StringEnumSchema<T extends string> extends TSchema {
  static: T
  enum: readonly T[]
}

TypeRegistry.Set<StringEnumSchema<string>>('StringEnum', (schema, value) => schema.enum.includes(value as string))

SetErrorFunction(error =>
  error.schema[Kind] === 'StringEnum' ? `Expected one of ${error.schema.enum.join(', ')}` : DefaultErrorFunction(error),
)

/** A JSON Schema `enum` of strings: MCP clients read it better than an `anyOf` of constants. */
export function StringEnum<const T extends string>(
  values: readonly T[],
  options: { description?: string; default?: T } = {},
): StringEnumSchema<T> {
  return Type.Unsafe<T>({ ...options, [Kind]: 'StringEnum', type: 'string', enum: values }) as StringEnumSchema<T>
}
