import { integer, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { cursor } from '../../paging.ts'
import {
  bodyField,
  bodyFormat,
  listPages,
  listQuery,
  numericId,
  page_id,
  pageFields,
  space,
  spaceOf,
  V2,
} from '../arguments.ts'

const scopes = ['read:page:confluence']
const ORDERS = ['created-date', '-created-date', 'modified-date', '-modified-date'] as const
const order = optional(oneOf(ORDERS, '-modified-date: last changed first. Default: by ID.'))

const listPagesOf = tool(`list_pages: GET ${V2}/spaces/{key.id}/pages`, {
  title: 'List the pages of a space',
  description: 'List the pages of a space, or find one by its exact title. Read a page with get_page.',
  scopes: [...scopes, 'read:space:confluence'],
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
})

const getPage = tool(`get_page: GET ${V2}/pages/{page_id}`, {
  title: 'Read a page',
  description:
    'Read a page: title, text (Markdown), labels, version and parent. Comments: list_comments and list_inline_comments. ' +
    'Files: list_attachments. Names of people: list_people. Space keys: list_spaces.',
  scopes,
  path: { page_id },
  query: {
    ...bodyFormat,
    'include-labels': 'true',
    version: optional(integer('An older version, from list_versions.', 1, 1_000_000)),
  },
  keep: `${pageFields} labels { results { name } } ${bodyField}`,
})

const childFields = 'id title type status childPosition'

const listChildren = tool(`list_children: GET ${V2}/pages/{page_id}/direct-children`, {
  title: 'List child pages',
  description: 'List what is directly below a page: pages, folders, whiteboards, databases. Returns IDs and titles.',
  scopes: ['read:hierarchical-content:confluence'],
  path: { page_id, cursor },
  query: listQuery,
  pagination: listPages,
  keep: `${childFields} spaceId`,
})

const listDescendants = tool(`list_descendants: GET ${V2}/pages/{page_id}/descendants`, {
  title: 'List the tree below a page',
  description: 'List what is below a page on several levels, with parents and depths. Returns IDs and titles.',
  scopes: ['read:hierarchical-content:confluence'],
  path: { page_id, cursor },
  query: { depth: optional({ ...integer('The number of levels. Default: 3.', 1, 10), default: 3 }), ...listQuery },
  pagination: listPages,
  keep: `${childFields} parentId depth`,
})

const listVersions = tool(`list_versions: GET ${V2}/pages/{page_id}/versions`, {
  title: 'List versions',
  description: 'List the versions of a page: number, author, time and message. Read one with get_page and its number.',
  scopes,
  path: { page_id, cursor },
  query: listQuery,
  pagination: listPages,
  keep: 'number createdAt authorId message minorEdit',
})

const listBlogPosts = tool(`list_blog_posts: GET ${V2}/spaces/{key.id}/blogposts`, {
  title: 'List blog posts',
  description: 'List the blog posts of a space. Read one with get_blog_post.',
  scopes: [...scopes, 'read:space:confluence'],
  steps: [spaceOf],
  path: { space, cursor },
  query: {
    title: optional(text('Only the one with exactly this title.', 255)),
    sort: named('order', order),
    ...listQuery,
  },
  pagination: listPages,
  keep: 'id title status spaceId authorId createdAt version { number createdAt authorId } _links { webui }',
})

const getBlogPost = tool(`get_blog_post: GET ${V2}/blogposts/{blog_post_id}`, {
  title: 'Read a blog post',
  description: 'Read a blog post: title, text (Markdown), author and version.',
  scopes,
  path: { blog_post_id: numericId('The ID of the blog post, from list_blog_posts or search.') },
  query: bodyFormat,
  keep: `id title status spaceId authorId createdAt version { number createdAt authorId } ${bodyField}`,
})

/** Confluence tools that read pages and blog posts. */
export const pageTools = [listPagesOf, getPage, listChildren, listDescendants, listVersions, listBlogPosts, getBlogPost]
