import type { TString } from '@sinclair/typebox'
import { converted, text } from '../../../services/definitions/arguments.ts'

export const readScopes = ['read:jira-work']
export const writeScopes = ['write:jira-work']

const ISSUE = '^([A-Za-z][A-Za-z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$'

/** An issue. */
export const issue = issueOf('The issue.')

/** An issue, with what it is for. */
export function issueOf(description: string): TString {
  return text(`${description} Its key (ENG-123) or ID, from search_issues.`, 42, { pattern: ISSUE })
}

/** A project. */
export const project = text('The key of the project (ENG for ENG-123) or its ID, from list_projects.', 31, {
  pattern: '^([A-Za-z][A-Za-z0-9_]{1,30}|[0-9]{1,18})$',
})

/** A person. */
export function accountId(description: string): TString {
  return text(`${description} An account ID, from search_users.`, 128, { pattern: '^[A-Za-z0-9:_-]{1,128}$' })
}

/** A number that Jira writes as a string. */
export function numericId(description: string): TString {
  return text(description, 18, { pattern: '^[0-9]{1,18}$' })
}

/** A longer text, which the API takes as a document (ADF). */
export function markdown(description: string): TString {
  return text(`${description} Markdown.`, 32_767)
}

/** Sends a reference to an issue or a project as `{id}` or `{key}`: the API does not find an ID given as a key. */
export function reference<Value>(value: Value) {
  return converted('id-or-key', value)
}
