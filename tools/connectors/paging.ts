import { type TInteger, type TOptional, Type } from '@sinclair/typebox'
import { type NamedArgument, named, oneOf, optional } from '../../services/definitions/arguments.ts'

/** The number of items per page: `max` is the provider's limit, `default` applies when the caller names none. */
interface PageSize {
  readonly max: number
  readonly default: number
}

/** The `limit` argument of a paginated tool. */
export function limit({ max, default: usual }: PageSize): TOptional<TInteger> {
  return Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: max,
      default: usual,
      description: `Maximum results per page. Default: ${usual}.`,
    }),
  )
}

/** The `cursor` argument of a paginated tool. It is opaque; the engine creates it. */
export const cursor = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 4096,
    description: 'next_cursor of the previous result, unchanged. Omit it for the first page.',
  }),
)

/** The `limit` argument, at the member of a request that carries the page size. */
export function pageSize(usual: number, max: number): NamedArgument {
  return named('limit', limit({ max, default: usual }))
}

/** The `cursor` argument, at the member of a request that carries the position of the page. */
export const pageStart: NamedArgument = named('cursor', cursor)

/** The arguments of a tool that returns a log. */
export const logPage = {
  from: {
    ...optional(
      oneOf(['end', 'start'], 'Where to begin: at the end, where failures are, or at the start. Default: end.'),
    ),
    default: 'end',
  },
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'The cursor in the previous result, for the next part.',
    }),
  ),
}
