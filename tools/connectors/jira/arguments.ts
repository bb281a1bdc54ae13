import { Type } from '@sinclair/typebox'

/** An issue. */
export const issue = Type.String({
  pattern: '^([A-Z][A-Z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$',
  description: 'The key of the issue (ENG-123) or its ID.',
})

/** A project. */
export const project = Type.String({
  pattern: '^([A-Z][A-Z0-9_]{1,30}|[0-9]{1,18})$',
  description: 'The key of the project (ENG for ENG-123), from list_projects.',
})

/** A person. */
export function accountId(description: string) {
  return Type.String({
    pattern: '^[A-Za-z0-9:_-]{1,128}$',
    description: `${description} An account ID, from search_users.`,
  })
}

/** A number that Jira writes as a string. */
export function numericId(description: string) {
  return Type.String({ pattern: '^[0-9]{1,18}$', description })
}

/** A longer text. */
export function text(description: string) {
  return Type.String({
    minLength: 1,
    maxLength: 32767,
    description: `${description} Plain text: line breaks are kept, markup is not interpreted.`,
  })
}

/** A text argument in the Atlassian Document Format, which version 3 of the API requires. */
export function documentOf(argument: string) {
  return {
    type: 'doc',
    version: 1,
    content: [{ type: 'paragraph', content: [{ type: 'text', text: `{${argument}}` }] }],
  }
}
