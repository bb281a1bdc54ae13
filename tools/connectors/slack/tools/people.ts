import { text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { pageSize, pageStart } from '../../paging.ts'
import { pages, person } from '../arguments.ts'

const personFields = 'id name real_name profile { display_name email title } tz is_bot deleted'

const listUsers = tool('list_users: GET /users.list', {
  title: 'List people',
  description:
    'List the people of the workspace, including bots and deleted users: ID, name, email address and time zone.',
  scopes: ['users:read'],
  query: { limit: pageSize(100, 200), cursor: pageStart },
  pagination: pages('/members'),
  keep: personFields,
})

const getUser = tool('get_user: GET /users.info', {
  title: 'Get a person',
  description: 'Read one person by ID: name, display name, email address, title and time zone.',
  scopes: ['users:read'],
  query: { user: person() },
  at: '/user',
  keep: `${personFields} profile { status_text } is_admin`,
})

const findUserByEmail = tool('find_user_by_email: GET /users.lookupByEmail', {
  title: 'Find a person by email',
  description: 'Find a person by email address. Returns the ID for send_direct_message and mentions.',
  scopes: ['users:read.email'],
  query: { email: text('The full email address: ada@example.com.', 254, { min: 3, pattern: '^[^\\s@]+@[^\\s@]+$' }) },
  at: '/user',
  keep: personFields,
})

/** Slack tools for people. */
export const peopleTools = [listUsers, getUser, findUserByEmail]
