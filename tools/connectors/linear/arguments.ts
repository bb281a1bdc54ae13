import { type TString, Type } from '@sinclair/typebox'
import { type HttpTool, pick, type Template } from '../../../services/definitions/http-tool.ts'

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** The ID of an object. */
export function id(description: string): TString {
  return Type.String({ pattern: `^${UUID}$`, description: `${description} A UUID.` })
}

/** An issue, by identifier (ENG-123) or ID. */
export function issue(description: string): TString {
  return Type.String({
    pattern: `^([A-Z0-9]{1,10}-[0-9]{1,9}|${UUID})$`,
    description: `${description} Its identifier (ENG-123) or ID, from search_issues or list_issues.`,
  })
}

/** A team, by the prefix of its issues. */
export const teamKey = Type.String({
  pattern: '^[A-Z0-9]{1,10}$',
  description: 'Only the team with this key (ENG for ENG-123), from list_teams.',
})

/** A formatted text. */
export function markdown(description: string): TString {
  return Type.String({ minLength: 1, maxLength: 100_000, description: `${description} Markdown.` })
}

/** A priority, in Linear's numbers. */
export const priority = Type.Integer({
  minimum: 0,
  maximum: 4,
  description: '0 none, 1 urgent, 2 high, 3 medium, 4 low.',
})

/** A GraphQL request to Linear. */
export function graphql<const Variables>(document: string, variables: Variables) {
  return { method: 'POST', path: '/graphql', body: { graphql: document, variables } } as const
}

/** The fields that `listOf` needs at the end of a connection in a document. */
export const pageInfo = 'pageInfo { hasNextPage endCursor }'

/**
 * A paginated list: the nodes of a connection in the response. The document declares `$first` and `$after`, and names
 * the fields to keep.
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
