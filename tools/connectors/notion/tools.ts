import { Type } from '@sinclair/typebox'
import { flag, list, members, named, oneOf, optional, text } from '../../../services/definitions/arguments.ts'
import { adds, reads, tool } from '../../../services/definitions/tool.ts'
import { pageSize, pageStart, replace_all } from '../shared-arguments.ts'

/** The paging of all lists. */
const listQuery = { page_size: pageSize(25, 100), start_cursor: pageStart } as const
const listPages = { style: 'cursor', items: '/results', next: '/next_cursor', more: '/has_more' } as const

/** An ID of Notion, with or without dashes. */
function id(description: string) {
  return text(description, 36, { pattern: '^[0-9a-fA-F-]{32,36}$' })
}

/** The page of most tools. */
const page_id = id('The ID of a page: from search or query_data_source, or the 32 digits at the end of its URL.')

/** Long Markdown. */
function markdown(description: string) {
  return text(description, 200_000)
}

/** The properties of a page. */
const properties = members(
  'Values by property name, in the form of their type from get_data_source: {"Status": {"status": {"name": "Done"}}, ' +
    '"Due": {"date": {"start": "2026-03-31"}}, "Tags": {"multi_select": [{"name": "a"}]}, "Points": {"number": 3}, ' +
    '"Notes": {"rich_text": [{"text": {"content": "…"}}]}, "Owner": {"people": [{"id": "…"}]}}. null clears date, ' +
    'select and number.',
  100,
)

/** The values of a page's properties, without their styles. */
const propertyFields = `properties { * { id type title { plain_text } rich_text { plain_text } number checkbox
  url email phone_number date { start end } select { name } status { name } multi_select { name } people { id name }
  relation { id } files { name } formula rollup { type number date { start end } } unique_id { prefix number } created_by { id name }
  last_edited_by { id name } } }`

/** The fields of pages that are kept. */
const pageFields = `object id url in_trash created_time last_edited_time parent { type page_id database_id data_source_id }
  ${propertyFields}`

const MARKDOWN = '/pages/{page_id}/markdown'
const textFields = 'id truncated unknown_block_ids'

const data_source_id = id('The ID of a data source, from search (type data_source) or get_database.')
const sort = Type.Object(
  {
    property: optional(text('A property by name. Give either property or timestamp.', 500)),
    timestamp: optional(oneOf(['created_time', 'last_edited_time'], 'A time of the page.')),
    direction: oneOf(['ascending', 'descending'], 'ascending: the smallest or oldest first.'),
  },
  { additionalProperties: false },
)

const commentFields = 'id discussion_id created_time created_by { id } rich_text { plain_text }'

/** Notion's tools for pages, data sources, comments and people. */
export const notionTools = [
  tool('search: POST /search', {
    title: 'Search pages and data sources',
    description:
      'Search the titles of pages and data sources that are shared with the connection; without query, list them ' +
      'all. Returns IDs. Read a page with read_page; query a data source with query_data_source.',
    annotations: reads,
    json: {
      query: optional(text('Words in the title.', 500)),
      filter: { property: 'object', value: named('type', optional(oneOf(['page', 'data_source'], 'Only these.'))) },
      sort: {
        timestamp: 'last_edited_time',
        direction: named('edited', optional(oneOf(['ascending', 'descending'], 'Sort by the time of the last edit.'))),
      },
      page_size: pageSize(25, 100),
      start_cursor: pageStart,
    },
    pagination: listPages,
    keep: `object id url in_trash last_edited_time title { plain_text } parent { type page_id database_id data_source_id }
    properties { * { title { plain_text } } }`,
  }),

  tool('get_page: GET /pages/{page_id}', {
    title: 'Get the properties of a page',
    description: 'Read the properties of a page or row: title, status, dates, people. Its text: read_page.',
    path: { page_id },
    keep: pageFields,
  }),

  tool(`read_page: GET ${MARKDOWN}`, {
    title: 'Read a page as Markdown',
    description:
      'Read the text of a page as Markdown. If parts are left out, their IDs are in unknown_block_ids: pass each as ' +
      'page_id to read it. Properties: get_page.',
    path: { page_id: { ...page_id, description: `${page_id.description} Or an ID of unknown_block_ids.` } },
    query: { include_transcript: optional(flag('Include transcripts of meetings. Default: false.')) },
    keep: 'id markdown|notion-markdown truncated unknown_block_ids',
  }),

  tool('create_page: POST /pages', {
    title: 'Create a page',
    description:
      'Create a page below another page, or a row in a data source. Give either parent_page_id or data_source_id. ' +
      'For a row, get its properties with get_data_source first. Returns ID and URL.',
    json: {
      parent: {
        page_id: named('parent_page_id', optional(id('The parent page, from search.'))),
        data_source_id: optional(id('The data source of the row, from search or get_database.')),
      },
      properties: {
        '...': named('properties', optional(properties)),
        title: [{ text: { content: named('title', text('The title.', 2000)) } }],
      },
      markdown: optional(markdown('The text in Markdown, without the title.')),
    },
    needsOneOf: ['parent_page_id', 'data_source_id'],
    keep: pageFields,
  }),

  tool('update_page: PATCH /pages/{page_id}', {
    title: 'Update the properties of a page',
    description:
      'Update the title or properties of a page or row, or move it to the trash. Omitted properties stay unchanged. ' +
      'For the text use append_text, edit_text or replace_text.',
    path: { page_id },
    json: {
      properties: {
        '...': named('properties', optional(properties)),
        title: [{ text: { content: named('title', optional(text('The new title.', 2000))) } }],
      },
      in_trash: optional(flag('true moves the page to the trash, false restores it.')),
    },
    keep: pageFields,
  }),

  tool(`append_text: PATCH ${MARKDOWN}`, {
    title: 'Append text to a page',
    description: 'Add Markdown at the end or the start of a page.',
    annotations: adds,
    path: { page_id },
    json: {
      type: 'insert_content',
      insert_content: {
        content: named('markdown', markdown('The text to add, in Markdown.')),
        position: {
          type: named('position', optional({ ...oneOf(['end', 'start'], 'Default: end.'), default: 'end' })),
        },
      },
    },
    keep: textFields,
  }),

  tool(`edit_text: PATCH ${MARKDOWN}`, {
    title: 'Edit the text of a page',
    description: 'Replace a part of the text of a page. Read it first with read_page, and give the part exactly.',
    path: { page_id },
    json: {
      type: 'update_content',
      update_content: {
        content_updates: [
          {
            old_str: named('old_text', markdown('The part as read_page returns it; it must occur once.')),
            new_str: named('new_text', text('The new Markdown; empty removes the part.', 200_000, { min: 0 })),
            replace_all_matches: named('all', optional(flag('Replace each occurrence. Default: false.'))),
          },
        ],
      },
    },
    keep: textFields,
  }),

  tool(`replace_text: PATCH ${MARKDOWN}`, {
    title: 'Replace the text of a page',
    description:
      'Replace the whole text of a page. Notion refuses if that would delete pages or databases in it. To keep the ' +
      'rest use append_text or edit_text.',
    path: { page_id, replace_all },
    steps: [
      {
        step: `now: GET ${MARKDOWN}`,
        guard: { form: 'notion', at: '', unless: 'replace_all', instead: 'use append_text or edit_text' },
      },
    ],
    json: { type: 'replace_content', replace_content: { new_str: named('markdown', markdown('The new text.')) } },
    keep: textFields,
  }),

  tool('get_database: GET /databases/{database_id}', {
    title: 'Get a database',
    description: 'Read a database: title and the IDs of its data sources, which hold the rows.',
    path: {
      database_id: id('The ID of a database: the parent of a row or data source (search, get_page), or from its URL.'),
    },
    keep: 'id title { plain_text } description { plain_text } url in_trash data_sources { id name }',
  }),

  tool('get_data_source: GET /data_sources/{data_source_id}', {
    title: 'Get a data source',
    description: 'Read the properties of a data source: names, types and options. query_data_source returns its rows.',
    path: { data_source_id },
    keep: `id title { plain_text } url in_trash parent { database_id } properties { * { id name type description
    select { options { name } } multi_select { options { name } } status { options { name } }
    relation { data_source_id } number { format } formula { expression } } }`,
  }),

  tool('query_data_source: POST /data_sources/{data_source_id}/query', {
    title: 'Query the rows of a data source',
    description:
      'List the rows of a data source with their properties, filtered and sorted. Property names: get_data_source. ' +
      'Read the text of a row with read_page.',
    annotations: reads,
    path: { data_source_id },
    json: {
      filter: optional(
        members(
          'A condition in the form of the property type: {"property": "Status", "status": {"equals": "Done"}}, {"property": ' +
            '"Due", "date": {"before": "2026-03-31"}}, {"property": "Name", "title": {"contains": "a"}}. Combine ' +
            'with {"and": […]} or {"or": […]}.',
          10,
        ),
      ),
      sorts: optional(list(sort, 'The sort order, most important first.', 10)),
      page_size: pageSize(25, 100),
      start_cursor: pageStart,
    },
    pagination: listPages,
    keep: pageFields,
  }),

  tool('list_comments: GET /comments', {
    title: 'List comments',
    description: 'List the open comments of a page. Returns text, author ID and discussion ID. Names: list_users.',
    query: { block_id: named('page_id', page_id), ...listQuery },
    pagination: listPages,
    keep: commentFields,
  }),

  tool('create_comment: POST /comments', {
    title: 'Comment on a page',
    description: 'Add a comment to a page, or answer a discussion. Give either page_id or discussion_id.',
    json: {
      parent: { page_id: optional(page_id) },
      discussion_id: optional(id('The discussion to answer, from list_comments.')),
      markdown: text('The comment: Markdown with bold, italic, code and links.', 20_000),
    },
    needsOneOf: ['page_id', 'discussion_id'],
    keep: commentFields,
  }),

  tool('list_users: GET /users', {
    title: 'List users',
    description:
      'List the members of the workspace. Returns IDs, which people properties take, names and email addresses.',
    query: listQuery,
    pagination: listPages,
    keep: 'id name type person { email }',
  }),
]
