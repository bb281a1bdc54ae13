import fc from './property.ts'

const name = fc.constantFrom('a', 'b', 'c')
const value = fc.jsonValue({ maxDepth: 2 })
const number = fc.integer({ min: 0, max: 4 })
const types = ['object', 'array', 'string', 'integer', 'null', ['string', 'object'], ['array', 'number']]
const { schema } = fc.letrec<{ schema: object; inner: object }>(tie => {
  const inner = tie('inner')
  const list = fc.array(inner, { minLength: 1, maxLength: 2 })
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.constantFrom<unknown>(...types),
    enum: fc.array(value, { minLength: 1, maxLength: 15 }),
    const: value,
    minimum: number,
    multipleOf: fc.constantFrom(1, 2, 0.5),
    maxLength: number,
    pattern: fc.constantFrom('^a', '[0-9]+', '^.?$'),
    uniqueItems: fc.boolean(),
    minItems: number,
    contains: inner,
    items: inner,
    properties: fc.dictionary(name, inner, { maxKeys: 3 }),
    required: fc.uniqueArray(name),
    additionalProperties: fc.oneof(fc.boolean(), inner),
    patternProperties: fc.dictionary(fc.constantFrom('^a', 'b'), inner, { maxKeys: 2 }),
    propertyNames: inner,
    maxProperties: number,
    dependentRequired: fc.dictionary(name, fc.uniqueArray(name)),
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: inner,
    unevaluatedProperties: fc.oneof(fc.boolean(), inner),
    $ref: fc.constant('#/$defs/d'),
  }
  const keyword = fc.constantFrom(...Object.keys(keywords)).chain(name => fc.tuple(fc.constant(name), keywords[name]!))
  const some = fc.array(keyword, { maxLength: 3 }).map(entries => Object.fromEntries(entries))
  return { schema: some, inner: fc.oneof({ maxDepth: 3 }, fc.constant({}), some) }
})
/** Arguments that some of the schemas accept and others reject. */
export const anyArguments = fc.dictionary(
  name,
  fc.oneof(value, fc.dictionary(name, value), fc.array(fc.constantFrom(1, '1', { a: 1 }))),
)

/** Random schemas of both dialects, with a reference and with most keywords. */
export const anySchema = fc
  .tuple(schema, schema, fc.boolean())
  .map(([made, definition, modern]): Record<string, unknown> => {
    const { $ref: _, ...d } = definition as { $ref?: string }
    const dialect = modern ? {} : { $schema: 'http://json-schema.org/draft-07/schema#' }
    return { ...made, type: 'object', ...dialect, $defs: { d } }
  })
