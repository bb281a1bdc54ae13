import { converted, named, optional, text } from '../../../services/definitions/arguments.ts'
import { pageSize } from '../shared-arguments.ts'

/** The start of paths of the API of version 2; version 1 has what it lacks. */
export const V2 = '/wiki/api/v2'
export const V1 = '/wiki/rest/api'

/** The paging of lists. The URL of the next page has the cursor. */
export const listQuery = { limit: pageSize(25, 250), cursor: '{cursor.cursor}' } as const
export const listPages = {
  style: 'next-url',
  items: '/results',
  next: '/_links/next',
  parameters: ['cursor'],
} as const

/** An ID, which is a number. */
export function numericId(description: string) {
  return text(description, 18, { pattern: '^[0-9]{1,18}$' })
}

/** The page of most tools. */
export const page_id = numericId(
  'The ID of a page: from search or list_pages, or from its URL (/pages/123456789/Title).',
)

/** A space by its key, which the step `spaceOf` turns into its ID. */
export const space = text('The key of the space, such as DOCS: from list_spaces, or from a URL (/spaces/DOCS).', 255, {
  pattern: '^~?[A-Za-z0-9_.:-]{1,254}$',
})

export const markdown = (description: string) => text(`${description} Markdown.`, 200_000)
const message = optional(text('What was changed, for the history of versions.', 500))

/** Sends Markdown as a body: Confluence takes a document (ADF) as the text of its JSON. */
export function body(description: string) {
  const document = converted('markdown-to-adf', named('markdown', markdown(description)))
  return { representation: 'atlas_doc_format', value: converted('text', document) }
}

/** Asks for bodies in the form that `bodyField` converts. */
export const bodyFormat = { 'body-format': 'atlas_doc_format' } as const
export const bodyField = 'body { atlas_doc_format { value|adf-to-markdown } }'

/** The version that a change makes. A step has read the current one: Confluence rejects a change of another. */
export function nextVersion(current: string) {
  return { number: converted('next-number', current), message }
}
