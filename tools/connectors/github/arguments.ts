import { Type } from '@sinclair/typebox'
import { cursor, limit } from '../paging.ts'

/** How every list of GitHub's is asked for. */
export const page = { limit: limit({ max: 100, default: 30 }), cursor }
export const listQuery = { per_page: '{limit}', page: '{cursor}' } as const

/** Which repository: two arguments of nearly every tool. */
export const repository = {
  owner: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^[A-Za-z0-9_-]+$',
    description: 'The user or organization the repository belongs to: octo-org in octo-org/app.',
  }),
  repo: Type.String({
    minLength: 1,
    maxLength: 100,
    // One character that is not a dot: `.` and `..` are no names.
    pattern: '^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$',
    description: 'The name of the repository without its owner: app in octo-org/app.',
  }),
}

/** The number of an issue or a pull request, as in #42. */
export function number(of: string) {
  return Type.Integer({ minimum: 1, maximum: 2147483647, description: `The number of the ${of}: 42 of #42.` })
}

/** What GitHub's search takes at most. */
export function searchQuery(description: string) {
  return Type.String({ minLength: 1, maxLength: 256, description })
}

/** A branch, by name. */
export function branch(description: string) {
  return Type.String({ minLength: 1, maxLength: 255, description })
}

/** Markdown of an issue, a comment or a pull request; GitHub's own limit. */
export function markdown(description: string) {
  return Type.String({ maxLength: 65536, description: `${description} GitHub-flavoured Markdown.` })
}

/** User names that an issue is assigned to. */
export const logins = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 10,
  description: 'The logins it is assigned to.',
})

/** Labels by name. */
export const labels = Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
  maxItems: 100,
  description: 'Labels by name.',
})

/** Where a file or directory is. */
export const path = Type.String({
  minLength: 1,
  maxLength: 1024,
  pattern: '^[^/]+(/[^/]+)*$',
  description: 'From the root of the repository, no slash at the beginning: src/index.ts.',
})

/** What names a commit. */
export const ref = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'A branch, a tag or a commit; the default branch when left out.',
})
