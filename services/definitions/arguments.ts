import {
  Kind,
  type TArray,
  type TBoolean,
  type TInteger,
  type TNull,
  type TObject,
  type TOptional,
  type TSchema,
  type TString,
  type TUnion,
  Type,
} from '@sinclair/typebox'
import { StringEnum } from '../../schemas/primitives/string-enum.ts'
import type { Converter, Keeping, Template } from './template.ts'

/** An argument of a tool, with another name than the member of the request where it is sent. */
export interface NamedArgument {
  readonly $argument: string
  readonly schema: TSchema
}

/** Names an argument where its name would not follow from the member that it fills: `per_page: named('limit', …)`. */
export function named(name: string, schema: TSchema): NamedArgument {
  return { $argument: name, schema }
}

/** A text of at most `max` characters; not empty unless `min` is 0. */
export function text(description: string, max: number, options: { min?: number; pattern?: string } = {}): TString {
  const { min = 1, pattern } = options
  return Type.String({
    ...(min > 0 && { minLength: min }),
    maxLength: max,
    ...(pattern !== undefined && { pattern }),
    // An item of a list needs none.
    ...(description !== '' && { description }),
  })
}

/** A whole number within bounds. */
export function integer(description: string, minimum: number, maximum: number): TInteger {
  return Type.Integer({ minimum, maximum, description })
}

/** `true` or `false`. */
export function flag(description: string): TBoolean {
  return Type.Boolean({ description })
}

/** One of these texts. */
export function oneOf<const Value extends string>(
  values: readonly Value[],
  description?: string,
): ReturnType<typeof StringEnum<Value>> {
  return StringEnum(values, description === undefined ? {} : { description })
}

/** A list of at most `max` items; not empty unless `min` is 0. */
export function list<Item extends TSchema>(
  item: Item,
  description: string,
  max: number,
  { min = 1 }: { min?: number } = {},
): TArray<Item> {
  return Type.Array(item, { ...(min > 0 && { minItems: min }), maxItems: max, description })
}

/** An object whose members the provider or its users name, such as custom fields; at most `max` of them. */
export function members(description: string, max: number): TObject {
  return Type.Object({}, { additionalProperties: true, maxProperties: max, description })
}

/** An argument that may be absent. */
export function optional<Schema extends TSchema>(schema: Schema): TOptional<Schema> {
  return Type.Optional(schema) as TOptional<Schema>
}

/** An argument that may be absent, and null to clear the value at the provider. Its description says so. */
export function clearable<Schema extends TSchema>(schema: Schema): TOptional<TUnion<[Schema, TNull]>> {
  const { description, ...rest } = schema
  return Type.Optional(
    Type.Union([rest as Schema, Type.Null()], { description: `${description ?? ''} null removes it.`.trimStart() }),
  )
}

/** Sends an argument in the form that the provider expects: a model writes Markdown, Jira receives a document. */
export function converted<Value>($convert: Converter, value: Value): { $convert: Converter; value: Value } {
  return { $convert, value }
}

/**
 * Sends each item of a list in the form that the provider expects: `each(emails, { email: '{item}' })`. The list is an
 * argument, or the name of a step that runs for each item. `keeping` is the list at the provider that it replaces.
 */
export function each<Items>(
  $each: Items,
  part: Template,
  keeping?: Keeping,
): { $each: Items; part: Template; keeping?: Keeping } {
  return { $each, part, ...(keeping && { keeping }) }
}

/** One text of several values: `concatenated('{page.body}', converted('markdown-to-html', more))`. */
export function concatenated<Values extends readonly unknown[]>(...$concat: Values): { $concat: Values } {
  return { $concat }
}

/** The first of these values that is not left out: a name that was given, else that of the file. */
export function either<Values extends readonly unknown[]>(...$either: Values): { $either: Values } {
  return { $either }
}

/** A part of a body that is null as a whole if its argument is: `clearing({ name: clearable(…) })`. */
export function clearing<Part>($clearing: Part): { $clearing: Part } {
  return { $clearing }
}

/** Whether a part of a request is the schema of an argument. */
export function isSchema(part: object): part is TSchema {
  return Kind in part
}
