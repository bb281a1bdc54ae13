import { Type } from '@sinclair/typebox'
import { httpTool, pick, sameNames } from '../../../../services/definitions/http-tool.ts'
import { reads } from '../../annotations.ts'
import { cursor, limit } from '../../paging.ts'
import { user } from '../arguments.ts'

const personFields = [
  'id',
  'name',
  'real_name',
  'profile.display_name',
  'profile.email',
  'profile.title',
  'tz',
  'is_bot',
  'deleted',
]

const listUsers = httpTool({
  operation: 'list_users',
  title: 'List people',
  description:
    'List the people of the workspace, including bots and deleted users: ID, name, email address and time zone.',
  annotations: reads,
  scopes: ['users:read'],
  input: { limit: limit({ max: 200, default: 100 }), cursor },
  request: { method: 'GET', path: '/users.list', query: sameNames('limit', 'cursor') },
  pagination: { style: 'cursor', items: '/members', next: '/response_metadata/next_cursor' },
  result: pick('/members', personFields),
})

const getUser = httpTool({
  operation: 'get_user',
  title: 'Get a person',
  description: 'Read one person by ID: name, display name, email address, title and time zone.',
  annotations: reads,
  scopes: ['users:read'],
  input: { user },
  request: { method: 'GET', path: '/users.info', query: { user: '{user}' } },
  result: pick('/user', [...personFields, 'profile.status_text', 'is_admin']),
})

const findUserByEmail = httpTool({
  operation: 'find_user_by_email',
  title: 'Find a person by email',
  description: 'Find a person by email address. Returns the ID for open_direct_message and mentions.',
  annotations: reads,
  scopes: ['users:read.email'],
  input: {
    email: Type.String({
      minLength: 3,
      maxLength: 254,
      pattern: '^[^\\s@]+@[^\\s@]+$',
      description: 'The full email address: ada@example.com.',
    }),
  },
  request: { method: 'GET', path: '/users.lookupByEmail', query: { email: '{email}' } },
  result: pick('/user', personFields),
})

/** Slack tools for people. */
export const peopleTools = [listUsers, getUser, findUserByEmail]
