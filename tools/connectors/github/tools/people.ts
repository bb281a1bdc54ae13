import { text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { listPages, listQuery, REPOSITORY, repository, scopes, searchPages, searchQuery } from '../arguments.ts'

const organizationScopes = ['read:org'] as const

const getMe = tool('get_me: GET /user', {
  title: 'Get your profile',
  description: 'Read who you are on GitHub: login, ID, name and public email address. For others use search_users.',
  scopes,
  keep: 'login id name email html_url company location bio public_repos created_at',
})

const searchUsers = tool('search_users: GET /search/users', {
  title: 'Search users',
  description:
    'Search users and organizations by words and qualifiers. Example: fullname:"Mona Lisa" location:Berlin. Returns ' +
    'logins, IDs and types.',
  scopes,
  query: searchQuery('in:login, fullname:, type:user, type:org, location:, language:, followers:>100.', [
    'followers',
    'repositories',
    'joined',
  ]),
  pagination: searchPages,
  keep: 'login id type html_url',
})

const listOrganizations = tool('list_organizations: GET /user/orgs', {
  title: 'List your organizations',
  description: 'List the organizations you belong to. Their logins are the owner of their repositories.',
  scopes: organizationScopes,
  query: listQuery,
  pagination: listPages,
  keep: 'login id description',
})

const listTeams = tool('list_teams: GET /orgs/{org}/teams', {
  title: 'List teams',
  description: 'List the teams of an organization that you can see. request_reviewers takes their slugs.',
  scopes: organizationScopes,
  path: { org: text('The login of the organization, from list_organizations.', 100, { pattern: '^[A-Za-z0-9_-]+$' }) },
  query: listQuery,
  pagination: listPages,
  keep: 'id name slug description privacy',
})

const listAssignees = tool(`list_assignees: GET ${REPOSITORY}/assignees`, {
  title: 'List possible assignees',
  description: 'List the users to whom issues and pull requests of a repository can be assigned. Returns logins.',
  scopes,
  path: repository,
  query: listQuery,
  pagination: listPages,
  keep: 'login id type',
})

/** GitHub tools for users, organizations and teams. */
export const peopleTools = [getMe, searchUsers, listOrganizations, listTeams, listAssignees]
