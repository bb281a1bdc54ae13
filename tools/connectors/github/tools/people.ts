import { flag, optional, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { sets, tool } from '../../../../services/definitions/tool.ts'
import { instant, pageSize } from '../../shared-arguments.ts'
import { listPages, listQuery, REPOSITORY, repository, scopes, searchPages, searchQuery } from '../arguments.ts'

const organizationScopes = ['read:org'] as const

/** GitHub tools for users, organizations, teams and notifications. */
export const peopleTools = [
  tool('get_me: GET /user', {
    title: 'Get your profile',
    description: 'Read who you are on GitHub: login, ID, name and public email address. For others use search_users.',
    scopes,
    keep: 'login id name email html_url company location bio public_repos created_at',
  }),

  tool('search_users: GET /search/users', {
    title: 'Search users',
    description:
      'Search users and organizations by words and qualifiers. Example: fullname:"Mona Lisa" location:Berlin. ' +
      'Returns logins, IDs and types.',
    scopes,
    query: searchQuery('in:login, fullname:, type:user, type:org, location:, language:, followers:>100.', [
      'followers',
      'repositories',
      'joined',
    ]),
    pagination: searchPages,
    keep: 'login id type html_url',
  }),

  tool('list_organizations: GET /user/orgs', {
    title: 'List your organizations',
    description: 'List the organizations you belong to. Their logins are the owner of their repositories.',
    scopes: organizationScopes,
    query: listQuery,
    pagination: listPages,
    keep: 'login id description',
  }),

  tool('list_teams: GET /orgs/{org}/teams', {
    title: 'List teams',
    description: 'List the teams of an organization that you can see. request_reviewers takes their slugs.',
    scopes: organizationScopes,
    path: {
      org: text('The login of the organization, from list_organizations.', 100, { pattern: '^[A-Za-z0-9_-]+$' }),
    },
    query: listQuery,
    pagination: listPages,
    keep: 'id name slug description privacy',
  }),

  tool(`list_assignees: GET ${REPOSITORY}/assignees`, {
    title: 'List possible assignees',
    description: 'List the users to whom issues and pull requests of a repository can be assigned. Returns logins.',
    scopes,
    path: repository,
    query: listQuery,
    pagination: listPages,
    keep: 'login id type',
  }),

  tool('list_notifications: GET /notifications', {
    title: 'List notifications',
    description:
      'List your unread notifications, newest first: why you got them, and the issue or pull request. The number is ' +
      'at the end of subject.url. Accounts of GitHub Apps and fine-grained tokens have none.',
    scopes,
    query: {
      all: optional(flag('Include read notifications. Default: false.')),
      participating: optional(
        flag('Only notifications about you: mentions, assignments, requested reviews. Default: false.'),
      ),
      since: optional(instant('Only those updated since this time.')),
      before: optional(instant('Only those updated before this time.')),
      ...listQuery,
      per_page: pageSize(30, 50),
    },
    pagination: listPages,
    keep: 'id reason unread updated_at subject { title type url } repository { full_name }',
  }),

  tool('mark_notification_read: PATCH /notifications/threads/{thread_id}', {
    title: 'Mark a notification as read',
    description: 'Mark one notification as read.',
    annotations: sets,
    scopes,
    path: { thread_id: text('The ID of the notification, from list_notifications.', 15, { pattern: '^[0-9]+$' }) },
    returns: done('Marked as read.'),
  }),
]
