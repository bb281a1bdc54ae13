import { concatenated, converted, either, flag, named, optional } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { adds, overwrites } from '../../annotations.ts'
import {
  body,
  markdown,
  nextVersion,
  numericId,
  page_id,
  pageFields,
  space,
  spaceOf,
  title,
  V1,
  V2,
} from '../arguments.ts'

const scopes = ['write:page:confluence', 'read:page:confluence']
const scopesInSpace = ['write:page:confluence', 'read:space:confluence']
const parent = numericId('The page above, from search or list_pages. It must be in the same space.')
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

const createPage = tool(`create_page: POST ${V2}/pages`, {
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
})

const updatePage = tool(`update_page: PUT ${V2}/pages/{page_id}`, {
  title: 'Replace the text of a page',
  description:
    'Replace the whole text of a page, and optionally its title. Read it first with get_page: what Markdown lacks, such ' +
    'as macros, images and layouts, is lost. To add text use append_to_page; for the title only, rename_page.',
  scopes,
  path: { page_id },
  steps: [current],
  json: {
    id: '{page_id}',
    status: 'current',
    title: either(optional(title), '{page.title}'),
    body: body('The full new text, without the title.'),
    version,
  },
  keep: pageFields,
})

const appendToPage = tool(`append_to_page: PUT ${V2}/pages/{page_id}`, {
  title: 'Append text to a page',
  description: 'Add Markdown at the end of a page. The text before it stays as it is, with macros and images.',
  annotations: adds,
  scopes,
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
})

const movePage = tool(`move_page: PUT ${V2}/pages/{page_id}`, {
  title: 'Move a page',
  description: 'Move a page, with all pages below it, below another page of the same space.',
  scopes,
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
})

const renamePage = tool(`rename_page: PUT ${V2}/pages/{page_id}/title`, {
  title: 'Rename a page',
  description: 'Change the title of a page. Its text stays unchanged.',
  scopes: ['write:page:confluence'],
  path: { page_id },
  json: { status: 'current', title },
  keep: pageFields,
})

const archivePage = tool(`archive_page: POST ${V1}/content/archive`, {
  title: 'Archive a page',
  description: 'Archive a page: it leaves the page tree, and people can restore it in Confluence. Takes some seconds.',
  annotations: overwrites,
  scopes: ['write:page:confluence', 'read:content.metadata:confluence'],
  json: { pages: [{ id: converted('number', named('page_id', page_id)) }] },
  returns: done('Confluence accepted to archive the page {page_id}.'),
})

const trashPage = tool(`trash_page: DELETE ${V2}/pages/{page_id}`, {
  title: 'Move a page to the trash',
  description: 'Move a page to the trash of its space, from where people can restore it in Confluence.',
  scopes: ['delete:page:confluence'],
  path: { page_id },
  returns: done('The page {page_id} is in the trash.'),
})

const createBlogPost = tool(`create_blog_post: POST ${V2}/blogposts`, {
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
})

/** Confluence tools that write pages and blog posts. */
export const pageWritingTools = [
  createPage,
  updatePage,
  appendToPage,
  movePage,
  renamePage,
  archivePage,
  trashPage,
  createBlogPost,
]
