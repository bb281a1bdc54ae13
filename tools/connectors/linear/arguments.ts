import { type TString, Type } from '@sinclair/typebox'
import { type HttpTool, pick, type Template } from '../../../services/definitions/http-tool.ts'

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** Something of Linear's by id. */
export function id(description: string): TString {
  return Type.String({ pattern: `^${UUID}$`, description: `${description} An id (UUID).` })
}

/** An issue, by what people call it or by id. */
export function issue(description: string): TString {
  return Type.String({
    pattern: `^([A-Z0-9]{1,10}-[0-9]{1,9}|${UUID})$`,
    description: `${description} As in ENG-123, or its id.`,
  })
}

/** A team, by what its issues begin with. */
export const teamKey = Type.String({
  pattern: '^[A-Z0-9]{1,10}$',
  description: 'Only of the team with this key: ENG of ENG-123. It comes from list_teams.',
})

/** A text with formatting. */
export function markdown(description: string): TString {
  return Type.String({ minLength: 1, maxLength: 100_000, description: `${description} Markdown.` })
}

/** How urgent something is, as Linear counts. */
export const priority = Type.Integer({
  minimum: 0,
  maximum: 4,
  description: '0 none, 1 urgent, 2 high, 3 medium, 4 low.',
})

/** A GraphQL request of Linear's. */
export function graphql<const Variables>(document: string, variables: Variables) {
  return { method: 'POST', path: '/graphql', body: { graphql: document, variables } } as const
}

/** What a connection of a document ends with, for `listOf`. */
export const pageInfo = 'pageInfo { hasNextPage endCursor }'

/**
 * A list of Linear's: the nodes of a connection of the answer, page by page. Its document declares `$first` and
 * `$after`, and names what is kept.
 */
export function listOf(
  connection: string,
  document: string,
  variables: { readonly [name: string]: Template } = {},
): Pick<HttpTool, 'request' | 'pagination' | 'result'> {
  const at = `/data/${connection}`
  return {
    request: graphql(document, { first: '{limit}', after: '{cursor}', ...variables }),
    pagination: {
      style: 'cursor',
      items: `${at}/nodes`,
      next: `${at}/pageInfo/endCursor`,
      more: `${at}/pageInfo/hasNextPage`,
    },
    result: pick(`${at}/nodes`, []),
  }
}
