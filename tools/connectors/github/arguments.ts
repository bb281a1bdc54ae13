import { Type } from '@sinclair/typebox'
import { cursor, limit } from '../paging.ts'

/** The paging arguments and query of all GitHub lists. */
export const page = { limit: limit({ max: 100, default: 30 }), cursor }
export const listQuery = { per_page: '{limit}', page: '{cursor}' } as const

/** The two arguments that name a repository. */
export const repository = {
  owner: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^[A-Za-z0-9_-]+$',
    description: 'The user or organization that owns the repository: octo-org in octo-org/app.',
  }),
  repo: Type.String({
    minLength: 1,
    maxLength: 100,
    // At least one character is not a dot: `.` and `..` are not names.
    pattern: '^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$',
    description: 'The name of the repository without its owner: app in octo-org/app.',
  }),
}

/** The number of an issue or a pull request, as in #42. */
export function number(of: 'issue' | 'pull request' | 'issue or pull request') {
  const from = of === 'pull request' ? 'list_pull_requests or search_issues' : 'list_issues or search_issues'
  const description = `The number of the ${of}: 42 for #42. From ${from}.`
  return Type.Integer({ minimum: 1, maximum: 2147483647, description })
}

/** A search query, within GitHub's length limit. */
export function searchQuery(description: string) {
  return Type.String({ minLength: 1, maxLength: 256, description })
}

/** A branch, by name. */
export function branch(description: string) {
  return Type.String({ minLength: 1, maxLength: 255, description })
}

/** Markdown of an issue, a comment or a pull request, within GitHub's length limit. */
export function markdown(description: string) {
  return Type.String({ maxLength: 65536, description: `${description} GitHub-flavored Markdown.` })
}

/** The assignees of an issue. */
export const logins = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 10,
  description: 'The logins of the assignees.',
})

/** Labels by name. */
export const labels = Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
  maxItems: 100,
  description: 'Labels by name.',
})

/** The path of a file or directory. */
export const path = Type.String({
  minLength: 1,
  maxLength: 1024,
  pattern: '^[^/]+(/[^/]+)*$',
  description: 'The path from the repository root, without a leading slash: src/index.ts.',
})

/** A branch, a tag or a commit. */
export const ref = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'A branch, a tag or a commit. Default: the default branch.',
})
