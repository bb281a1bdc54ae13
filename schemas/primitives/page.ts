import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { orNull } from './or-null.ts'

/** The maximum number of rows of a page. */
const MAX_LIMIT = 200
const DEFAULT_LIMIT = 50

/** The query parameters of every list that has pages. */
export const PageQuery = {
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9]|[1-9][0-9]|1[0-9][0-9]|200)$',
      description: `The number of rows: 1 to ${MAX_LIMIT}, default ${DEFAULT_LIMIT}.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 512, description: 'The next_cursor of the previous page; omit it for the first page.' }),
  ),
} satisfies TProperties

/** The cursor of the next page; null at the end. */
export const NextCursor = orNull(Type.String())

/** Which page of a list to read. */
export interface PageRequest {
  limit: number
  cursor: string | undefined
}

/** Reads the query parameters of `PageQuery`. */
export function pageRequest({ limit, cursor }: { limit?: string; cursor?: string }): PageRequest {
  return { limit: limit === undefined ? DEFAULT_LIMIT : Number(limit), cursor }
}

/** The answer of a list with pages: its rows under `name`, and the cursor of the next page, or null at the end. */
export function pageOf<T extends TSchema, N extends string>(name: N, row: T) {
  return Type.Object({
    ...({ [name]: Type.Array(row) } as Record<N, ReturnType<typeof Type.Array<T>>>),
    next_cursor: NextCursor,
  })
}
