import { type TInteger, type TOptional, Type } from '@sinclair/typebox'

/** How many items one page has: `max` is the provider's own limit, `default` what is asked for when a caller says nothing. */
export interface PageSize {
  readonly max: number
  readonly default: number
}

/** The `limit` of a tool that pages. */
export function limit({ max, default: usual }: PageSize): TOptional<TInteger> {
  return Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: max,
      default: usual,
      description: `How many results a page has at most (default ${usual}).`,
    }),
  )
}

/** The `cursor` of a tool that pages: opaque, made by the engine. */
export const cursor = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 4096,
    description: 'next_cursor of the answer before, unchanged. Leave it out for the first page.',
  }),
)
