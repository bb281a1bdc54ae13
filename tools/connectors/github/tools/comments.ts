import { Type } from '@sinclair/typebox'
import { httpTool, pick } from '../../../../services/definitions/http-tool.ts'
import { adds, reads } from '../../annotations.ts'
import { instant } from '../../times.ts'
import { listQuery, markdown, number, page, repository } from '../arguments.ts'

const listIssueComments = httpTool({
  operation: 'list_issue_comments',
  title: 'List comments',
  description: 'List the comments of an issue or pull request, oldest first. Returns ID, author, text and dates.',
  annotations: reads,
  scopes: ['repo'],
  input: {
    ...repository,
    issue_number: number('issue or pull request'),
    since: Type.Optional(instant('Only comments updated since this time.')),
    ...page,
  },
  request: {
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues/{issue_number}/comments',
    query: { since: '{since}', ...listQuery },
  },
  pagination: { style: 'link', items: '' },
  result: pick('', ['id', 'user.login', 'body', 'html_url', 'created_at', 'updated_at']),
})

const addComment = httpTool({
  operation: 'add_comment',
  title: 'Comment',
  description: 'Comment on an issue or pull request. Everyone who follows it is notified. Returns the ID and URL.',
  annotations: adds,
  scopes: ['repo'],
  input: {
    ...repository,
    issue_number: number('issue or pull request'),
    body: { ...markdown('The comment.'), minLength: 1 },
  },
  request: {
    method: 'POST',
    path: '/repos/{owner}/{repo}/issues/{issue_number}/comments',
    body: { json: { body: '{body}' } },
  },
  result: pick('', ['id', 'html_url', 'user.login', 'created_at']),
})

/** GitHub tools for comments. */
export const commentTools = [listIssueComments, addComment]
