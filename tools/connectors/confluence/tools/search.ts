import { either, list, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { reads, tool } from '../../../../services/definitions/tool.ts'
import { cursor, pageSize, pageStart } from '../../shared-arguments.ts'
import { bodyField, bodyFormat, listPages, listQuery, numericId, page_id, space, V1, V2 } from '../arguments.ts'

const scopes = ['read:content-details:confluence']
const found = `content { id type status title space { key name } } title excerpt url lastModified
  resultGlobalContainer { title }`
const searchQuery = { excerpt: 'indexed', limit: pageSize(25, 50), cursor: '{cursor.cursor}' }
const words = 'type IN (page, blogpost) AND text ~ "{query}"'
const person = text('An account ID, from search_people or get_myself.', 128, { pattern: '^[A-Za-z0-9:_-]{1,128}$' })

/** Confluence tools that search, and for spaces and people. */
export const searchTools = [
  tool(`search: GET ${V1}/search`, {
    title: 'Search by words',
    description:
      'Search pages and blog posts by words in title and text, best match first. Returns IDs, titles and excerpts. ' +
      'Read a page with get_page. To search by label, person, date or title use search_cql.',
    scopes,
    path: {
      cursor,
      query: text('Words without quotes: release checklist.', 300, { pattern: '^[^"\\\\]+$' }),
      space: optional({ ...space, description: 'Only in the space with this key, from list_spaces.' }),
    },
    query: { cql: either(`${words} AND space = "{space}"`, words), ...searchQuery },
    pagination: listPages,
    keep: found,
  }),

  tool(`search_cql: GET ${V1}/search`, {
    title: 'Search with CQL',
    description:
      'Search content with CQL. Examples: type = page AND space = DOCS AND label = "runbook" ORDER BY lastmodified ' +
      'DESC; title ~ "onboarding"; contributor = currentUser() AND lastmodified > now("-7d"); ancestor = 123. Types: ' +
      'page, blogpost, comment, attachment. Returns IDs, titles and excerpts.',
    scopes,
    path: { cursor },
    query: { cql: text('CQL, such as type = page AND text ~ "release".', 5000), ...searchQuery },
    pagination: listPages,
    keep: found,
  }),

  tool(`list_spaces: GET ${V2}/spaces`, {
    title: 'List spaces',
    description:
      'List the spaces that you can see: key, name, type and the ID of the home page. Includes archived spaces.',
    scopes: ['read:space:confluence'],
    path: { cursor },
    query: {
      keys: {
        $join: named('keys', optional(list(space, 'Only the spaces with these keys.', 50))),
        separator: ',',
      },
      ...listQuery,
    },
    pagination: listPages,
    keep: 'id key name type status homepageId _links { webui }',
  }),

  tool(`get_myself: GET ${V1}/user/current`, {
    title: 'Who am I',
    description: 'Read the connected user: account ID and name.',
    scopes,
    keep: 'accountId displayName email timeZone',
  }),

  tool(`search_people: GET ${V1}/search/user`, {
    title: 'Search people',
    description: 'Find people by name. Returns account IDs for search_cql (contributor, creator), and names.',
    scopes,
    path: { name: text('A part of the name, without quotes: ada.', 200, { pattern: '^[^"\\\\]+$' }) },
    query: { cql: 'user.fullname ~ "{name}"', limit: pageSize(25, 50), start: pageStart },
    pagination: { style: 'offset', items: '/results' },
    keep: 'user { accountId displayName email accountType }',
  }),

  tool(`list_people: POST ${V2}/users-bulk`, {
    title: 'List people',
    description: 'List people by account ID, with their names: the authors of pages, versions and comments.',
    annotations: reads,
    scopes: ['read:user:confluence'],
    json: {
      accountIds: list(person, 'Account IDs: authorId of get_page, list_versions, list_comments and others.', 100),
    },
    at: '/results',
    keep: 'accountId displayName publicName email accountStatus',
  }),

  tool(`list_tasks: GET ${V2}/tasks`, {
    title: 'List tasks',
    description:
      'List the tasks in pages and blog posts: text (Markdown), status, people and due date. For your own, set ' +
      'assigned_to to the account ID from get_myself.',
    scopes: ['read:task:confluence'],
    path: { cursor },
    query: {
      ...bodyFormat,
      status: optional(oneOf(['incomplete', 'complete'], 'Only tasks with this status.')),
      'assigned-to': named('assigned_to', optional(person)),
      'page-id': named('page_id', optional(page_id)),
      ...listQuery,
    },
    pagination: listPages,
    keep: `id status pageId blogPostId assignedTo createdBy dueAt completedAt ${bodyField}`,
  }),

  tool(`update_task: PUT ${V2}/tasks/{task_id}`, {
    title: 'Tick off a task',
    description: 'Mark a task in a page as complete or incomplete.',
    scopes: ['write:task:confluence'],
    path: { task_id: numericId('The ID of the task, from list_tasks.') },
    json: { status: oneOf(['complete', 'incomplete'], 'Whether it is done.') },
    keep: 'id status pageId',
  }),
]
