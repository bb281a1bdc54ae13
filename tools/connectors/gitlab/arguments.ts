import { optional, text } from '../../../services/definitions/arguments.ts'
import { pageSize, pageStart } from '../shared-arguments.ts'

/** The scopes of all tools. */
export const scopes = ['api'] as const

/** The paging of all lists: GitLab names the next page in a header. */
export const listQuery = { per_page: pageSize(20, 100), page: pageStart } as const
export const listPages = { style: 'link', items: '' } as const

/** The project of most tools. */
export const project = text(
  'The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.',
  500,
  {
    // GitLab has no names that end in a dot.
    pattern: '[^./]$',
  },
)

/** A branch, by name. */
export function branch(description: string) {
  return text(description, 255)
}

/** A branch, a tag or a commit. */
export const ref = optional(text('A branch, a tag or a commit. Default: the default branch.', 255))
