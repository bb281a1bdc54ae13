import {
  concatenated,
  converted,
  either,
  flag,
  integer,
  named,
  oneOf,
  optional,
  text,
} from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { adds, overwrites, tool } from '../../../../services/definitions/tool.ts'
import { cursor, replace_all } from '../../shared-arguments.ts'
import {
  body,
  bodyField,
  bodyFormat,
  listPages,
  listQuery,
  markdown,
  nextVersion,
  numericId,
  page_id,
  space,
  V1,
  V2,
} from '../arguments.ts'

/** Finds the ID of the space of which a call gives the key. */
const spaceOf = { step: `key: GET ${V2}/spaces`, query: { keys: '{space}' }, keep: { id: '/results/0/id' } }
const title = text('The title, on one line. It is unique in its space.', 255, { pattern: '^[^\\r\\n]+$' })
const pageFields = `id title status spaceId parentId parentType authorId createdAt version { number createdAt authorId message }
  _links { webui }`
const readScopes = ['read:page:confluence']
const ORDERS = ['created-date', '-created-date', 'modified-date', '-modified-date'] as const
const order = optional(oneOf(ORDERS, '-modified-date: last changed first. Default: by ID.'))

const childFields = 'id title type status childPosition'

const writeScopes = ['write:page:confluence', 'read:page:confluence']
const scopesInSpace = ['write:page:confluence', 'read:space:confluence']
const parent = numericId('The parent page, from search or list_pages. It must be in the same space.')
const html = (description: string) => converted('markdown-to-html', named('markdown', markdown(description)))

/** Reads the page that is about to be changed: Confluence rejects a change that does not name the next version. */
const current = { step: `page: GET ${V2}/pages/{page_id}`, keep: { title: '/title', version: '/version/number' } }
/** The same with its text in the form in which Confluence stores it, which loses nothing when it is sent back. */
const currentText = {
  ...current,
  query: { 'body-format': 'storage' },
  keep: { ...current.keep, text: '/body/storage/value' },
}
const version = nextVersion('{page.version}')

/** Confluence tools for pages and blog posts. */
export const pageTools = [
  tool(`list_pages: GET ${V2}/spaces/{key.id}/pages`, {
    title: 'List the pages of a space',
    description: 'List the pages of a space, or find one by its exact title. Read a page with get_page.',
    scopes: [...readScopes, 'read:space:confluence'],
    steps: [spaceOf],
    path: { space, cursor },
    query: {
      title: optional(text('Only the page with exactly this title.', 255)),
      depth: optional(oneOf(['all', 'root'], 'root: only pages without a parent. Default: all.')),
      status: optional(oneOf(['current', 'archived', 'trashed'], 'Default: current and archived.')),
      sort: named('order', order),
      ...listQuery,
    },
    pagination: listPages,
    keep: pageFields,
  }),

  tool(`get_page: GET ${V2}/pages/{page_id}`, {
    title: 'Read a page',
    description:
      'Read a page: title, text (Markdown; warning says what it lacks), labels, version and parent. Comments: ' +
      'list_comments and list_inline_comments. Files: list_attachments. Names of people: list_people. Space keys: ' +
      'list_spaces.',
    scopes: readScopes,
    path: { page_id },
    query: {
      ...bodyFormat,
      'include-labels': 'true',
      version: optional(integer('An older version, from list_versions.', 1, 1_000_000)),
    },
    keep: `${pageFields} labels { results { name } } ${bodyField}`,
  }),

  tool(`list_children: GET ${V2}/pages/{page_id}/direct-children`, {
    title: 'List child pages',
    description: 'List what is directly below a page: pages, folders, whiteboards, databases. Returns IDs and titles.',
    scopes: ['read:hierarchical-content:confluence'],
    path: { page_id, cursor },
    query: listQuery,
    pagination: listPages,
    keep: `${childFields} spaceId`,
  }),

  tool(`list_descendants: GET ${V2}/pages/{page_id}/descendants`, {
    title: 'List the tree below a page',
    description: 'List what is below a page on several levels, with parents and depths. Returns IDs and titles.',
    scopes: ['read:hierarchical-content:confluence'],
    path: { page_id, cursor },
    query: { depth: optional({ ...integer('The number of levels. Default: 3.', 1, 10), default: 3 }), ...listQuery },
    pagination: listPages,
    keep: `${childFields} parentId depth`,
  }),

  tool(`list_versions: GET ${V2}/pages/{page_id}/versions`, {
    title: 'List versions',
    description:
      'List the versions of a page: number, author, time and message. Read one with get_page and its number.',
    scopes: readScopes,
    path: { page_id, cursor },
    query: listQuery,
    pagination: listPages,
    keep: 'number createdAt authorId message minorEdit',
  }),

  tool(`list_blog_posts: GET ${V2}/spaces/{key.id}/blogposts`, {
    title: 'List blog posts',
    description: 'List the blog posts of a space. Read one with get_blog_post.',
    scopes: [...readScopes, 'read:space:confluence'],
    steps: [spaceOf],
    path: { space, cursor },
    query: {
      title: optional(text('Only the blog post with exactly this title.', 255)),
      sort: named('order', order),
      ...listQuery,
    },
    pagination: listPages,
    keep: 'id title status spaceId authorId createdAt version { number createdAt authorId } _links { webui }',
  }),

  tool(`get_blog_post: GET ${V2}/blogposts/{blog_post_id}`, {
    title: 'Read a blog post',
    description: 'Read a blog post: title, text (Markdown), author and version.',
    scopes: readScopes,
    path: { blog_post_id: numericId('The ID of the blog post, from list_blog_posts or search.') },
    query: bodyFormat,
    keep: `id title status spaceId authorId createdAt version { number createdAt authorId } ${bodyField}`,
  }),

  tool(`create_page: POST ${V2}/pages`, {
    title: 'Create a page',
    description: 'Create a page in a space, below another page or below the home page. Returns its ID and address.',
    scopes: scopesInSpace,
    steps: [spaceOf],
    path: { space },
    query: { private: optional(flag('true: only you can see it.')) },
    json: {
      spaceId: '{key.id}',
      status: 'current',
      title,
      parentId: optional({ ...parent, description: `${parent.description} Default: the home page of the space.` }),
      body: body('The text, without the title.'),
    },
    keep: pageFields,
  }),

  tool(`update_page: PUT ${V2}/pages/{page_id}`, {
    title: 'Replace the text of a page',
    description:
      'Replace the whole text of a page, and optionally its title. Read it first with get_page. To add text use ' +
      'append_to_page; for the title only, rename_page.',
    scopes: writeScopes,
    path: { page_id, replace_all },
    steps: [
      {
        ...current,
        query: bodyFormat,
        guard: { form: 'adf', at: '/body', unless: 'replace_all', instead: 'add text with append_to_page' },
      },
    ],
    json: {
      id: '{page_id}',
      status: 'current',
      title: either(optional(title), '{page.title}'),
      body: body('The full new text, without the title.'),
      version,
    },
    keep: pageFields,
  }),

  tool(`append_to_page: PUT ${V2}/pages/{page_id}`, {
    title: 'Append text to a page',
    description: 'Add Markdown at the end of a page. The existing text stays unchanged, including macros and images.',
    annotations: adds,
    scopes: writeScopes,
    path: { page_id },
    steps: [currentText],
    json: {
      id: '{page_id}',
      status: 'current',
      title: '{page.title}',
      body: { representation: 'storage', value: concatenated('{page.text}', html('The text to add.')) },
      version,
    },
    keep: pageFields,
  }),

  tool(`move_page: PUT ${V2}/pages/{page_id}`, {
    title: 'Move a page',
    description: 'Move a page, with all pages below it, below another page of the same space.',
    scopes: writeScopes,
    path: { page_id },
    steps: [currentText],
    json: {
      id: '{page_id}',
      status: 'current',
      title: '{page.title}',
      parentId: parent,
      body: { representation: 'storage', value: '{page.text}' },
      version,
    },
    keep: pageFields,
  }),

  tool(`rename_page: PUT ${V2}/pages/{page_id}/title`, {
    title: 'Rename a page',
    description: 'Change the title of a page. Its text stays unchanged.',
    scopes: ['write:page:confluence'],
    path: { page_id },
    json: { status: 'current', title },
    keep: pageFields,
  }),

  tool(`archive_page: POST ${V1}/content/archive`, {
    title: 'Archive a page',
    description:
      'Archive a page: it leaves the page tree, and people can restore it in Confluence. Takes a few seconds.',
    annotations: overwrites,
    scopes: ['write:page:confluence', 'read:content.metadata:confluence'],
    json: { pages: [{ id: converted('number', named('page_id', page_id)) }] },
    returns: done('Confluence is archiving the page {page_id}.'),
  }),

  tool(`trash_page: DELETE ${V2}/pages/{page_id}`, {
    title: 'Move a page to the trash',
    description: 'Move a page to the trash of its space. People can restore it in Confluence.',
    scopes: ['delete:page:confluence'],
    path: { page_id },
    returns: done('The page {page_id} is in the trash.'),
  }),

  tool(`create_blog_post: POST ${V2}/blogposts`, {
    title: 'Publish a blog post',
    description: 'Publish a blog post in a space. Returns its ID and address.',
    scopes: scopesInSpace,
    steps: [spaceOf],
    path: { space },
    json: {
      spaceId: '{key.id}',
      status: 'current',
      title,
      body: { representation: 'storage', value: html('The text, without the title.') },
    },
    keep: 'id title status spaceId authorId createdAt _links { webui }',
  }),
]
