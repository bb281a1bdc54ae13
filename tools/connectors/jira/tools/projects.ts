import { Type } from '@sinclair/typebox'
import { httpTool, pick } from '../../../../services/definitions/http-tool.ts'
import { reads } from '../../annotations.ts'
import { cursor, limit } from '../../paging.ts'
import { project } from '../arguments.ts'

const page = { limit: limit({ max: 50, default: 50 }), cursor }

const listProjects = httpTool({
  operation: 'list_projects',
  title: 'List projects',
  description: 'List the projects that you can see, optionally filtered by name or key: key, name, type and lead.',
  annotations: reads,
  scopes: ['read:jira-work'],
  input: {
    query: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'A part of the name or key.' })),
    ...page,
  },
  request: {
    method: 'GET',
    path: '/rest/api/3/project/search',
    query: { query: '{query}', startAt: '{cursor}', maxResults: '{limit}', expand: 'lead,description' },
  },
  pagination: { style: 'offset', items: '/values', total: '/total' },
  result: pick('/values', ['id', 'key', 'name', 'projectTypeKey', 'description', 'lead.displayName', 'archived']),
})

const listIssueTypes = httpTool({
  operation: 'list_issue_types',
  title: 'List issue types',
  description: 'List the issue types that you can create in a project with create_issue.',
  annotations: reads,
  scopes: ['read:jira-work'],
  input: { project, ...page },
  request: {
    method: 'GET',
    path: '/rest/api/3/issue/createmeta/{project}/issuetypes',
    query: { startAt: '{cursor}', maxResults: '{limit}' },
  },
  pagination: { style: 'offset', items: '/issueTypes', total: '/total' },
  result: pick('/issueTypes', ['id', 'name', 'description', 'subtask', 'hierarchyLevel']),
})

const searchUsers = httpTool({
  operation: 'search_users',
  title: 'Search people',
  description: 'Find people by name or email address. Returns account IDs for assign_issue and JQL.',
  annotations: reads,
  scopes: ['read:jira-user'],
  input: {
    query: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The beginning of a name or an email address: ada.',
    }),
    ...page,
  },
  request: {
    method: 'GET',
    path: '/rest/api/3/user/search',
    query: { query: '{query}', startAt: '{cursor}', maxResults: '{limit}' },
  },
  pagination: { style: 'offset', items: '' },
  result: pick('', ['accountId', 'accountType', 'displayName', 'emailAddress', 'active', 'timeZone']),
})

const getMyself = httpTool({
  operation: 'get_myself',
  title: 'Who am I',
  description: 'Read the connected user: account ID, name and time zone.',
  annotations: reads,
  scopes: ['read:jira-user'],
  input: {},
  request: { method: 'GET', path: '/rest/api/3/myself' },
  result: pick('', ['accountId', 'displayName', 'emailAddress', 'timeZone', 'locale']),
})

/** Jira tools for projects and people. */
export const projectTools = [listProjects, listIssueTypes, searchUsers, getMyself]
