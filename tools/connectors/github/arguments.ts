import { integer, list, oneOf, optional, text } from '../../../services/definitions/arguments.ts'
import { pageSize, pageStart } from '../shared-arguments.ts'

/** The scope of most tools. */
export const scopes = ['repo'] as const

/** The paging of all lists: GitHub names the next page in a header. */
export const listQuery = { per_page: pageSize(30, 100), page: pageStart } as const
export const listPages = { style: 'link', items: '' } as const

/** The two arguments that name a repository, and the path of all that is in it. */
export const repository = {
  owner: text('The user or organization that owns the repository: octo-org in octo-org/app.', 100, {
    pattern: '^[A-Za-z0-9_-]+$',
  }),
  repo: text('The name of the repository without its owner: app in octo-org/app.', 100, {
    // At least one character is not a dot: `.` and `..` are not names.
    pattern: '^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$',
  }),
}
export const REPOSITORY = '/repos/{owner}/{repo}'

/** The number of an issue or a pull request, as in #42. */
export function number(of: 'issue' | 'pull request' | 'issue or pull request') {
  const from = of === 'pull request' ? 'list_pull_requests or search_issues' : 'list_issues or search_issues'
  return integer(`The number of the ${of}: 42 for #42. From ${from}.`, 1, 2_147_483_647)
}

/** Something else by its ID, and the tool that returns it. */
export function id(description: string) {
  return integer(description, 1, Number.MAX_SAFE_INTEGER)
}

/** The order of lists. */
export const direction = optional(oneOf(['asc', 'desc'], 'asc: the smallest or oldest first.'))

/** The query of a search, its order and its paging. */
export function searchQuery<const Sort extends string>(qualifiers: string, sorts: readonly Sort[]) {
  return {
    q: { $argument: 'query', schema: text(`Words and qualifiers: ${qualifiers}`, 256) },
    sort: optional(oneOf(sorts, 'Default: best match.')),
    order: direction,
    ...listQuery,
  }
}
export const searchPages = { style: 'link', items: '/items' } as const

/** A branch or a tag, by name. */
export function name(description: string) {
  return text(description, 255)
}

/** A commit. */
export function sha(description: string) {
  return text(description, 40, { pattern: '^[0-9a-f]{40}$' })
}

/** Markdown of an issue, a comment or a pull request, within GitHub's length limit. */
export function markdown(description: string, { min = 0 } = {}) {
  return text(`${description} GitHub-flavored Markdown.`, 65_536, { min })
}

/** A title, on one line. */
export function title(description = 'The title, on one line.') {
  return text(description, 256)
}

/** Users by login. */
export function logins(description: string) {
  return list(text('', 100), description, 10, { min: 0 })
}

/** The path of a file or directory. */
export function path(description = '') {
  const usual = 'The path from the repository root, without a leading slash: src/index.ts.'
  return text(`${usual} ${description}`.trim(), 1024, { pattern: '^[^/]+(/[^/]+)*$' })
}

/** A branch, a tag or a commit. */
export function ref(description = 'A branch, a tag or a commit. Default: the default branch.') {
  return text(description, 255)
}
