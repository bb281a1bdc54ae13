import { type SchemaOptions, type TSchema, Type } from '@sinclair/typebox'

/** A value, or null. */
export function orNull<T extends TSchema>(schema: T, options: SchemaOptions = {}) {
  return Type.Union([schema, Type.Null()], options)
}
