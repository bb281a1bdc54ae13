import { optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { listQuery, numericId, project } from '../arguments.ts'

const scopes = ['read:jira-work']
const peopleScopes = ['read:jira-user']

const listProjects = tool('list_projects: GET /rest/api/3/project/search', {
  title: 'List projects',
  description: 'List the projects that you can see, optionally filtered by name or key: key, name, type and lead.',
  scopes,
  query: { query: optional(text('A part of the name or key.', 200)), ...listQuery, expand: 'lead,description' },
  pagination: { style: 'offset', items: '/values', total: '/total' },
  keep: 'id key name projectTypeKey description lead { displayName } archived',
})

const listIssueTypes = tool('list_issue_types: GET /rest/api/3/issue/createmeta/{project}/issuetypes', {
  title: 'List issue types',
  description: 'List the issue types that you can create in a project with create_issue.',
  scopes,
  path: { project },
  query: listQuery,
  pagination: { style: 'offset', items: '/issueTypes', total: '/total' },
  keep: 'id name description subtask hierarchyLevel',
})

const listCreateFields = tool('list_create_fields: GET /rest/api/3/issue/createmeta/{project}/issuetypes/{type_id}', {
  title: 'List the fields of a new issue',
  description:
    'List the fields of a new issue of one type, custom ones included: ID, name, type, whether it is required, and ' +
    'allowed values. Pass those without an own argument to create_issue as other_fields.',
  scopes,
  path: { project, type_id: numericId('The ID of the issue type, from list_issue_types.') },
  query: listQuery,
  pagination: { style: 'offset', items: '/fields', total: '/total' },
  keep: 'fieldId name required hasDefaultValue schema { type items custom } allowedValues { id name value }',
})

const listLinkTypes = tool('list_link_types: GET /rest/api/3/issueLinkType', {
  title: 'List link types',
  description: 'List the types of links between issues for link_issues: name, and the words for both directions.',
  scopes,
  at: '/issueLinkTypes',
  keep: 'id name inward outward',
})

const searchUsers = tool('search_users: GET /rest/api/3/user/search', {
  title: 'Search people',
  description: 'Find people by name or email address. Returns account IDs for assign_issue and JQL.',
  scopes: peopleScopes,
  query: { query: text('The beginning of a name or an email address: ada.', 200), ...listQuery },
  pagination: { style: 'offset', items: '' },
  keep: 'accountId accountType displayName emailAddress active timeZone',
})

const getMyself = tool('get_myself: GET /rest/api/3/myself', {
  title: 'Who am I',
  description: 'Read the connected user: account ID (for assign_issue), name and time zone.',
  scopes: peopleScopes,
  keep: 'accountId displayName emailAddress timeZone locale',
})

/** Jira tools for projects and people. */
export const projectTools = [listProjects, listIssueTypes, listCreateFields, listLinkTypes, searchUsers, getMyself]
