import { flag, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { adds, reads } from '../../annotations.ts'
import { pageSize, pageStart } from '../../paging.ts'
import { id, listPages, markdown, page_id, pageFields, properties } from '../arguments.ts'

const MARKDOWN = '/pages/{page_id}/markdown'
const written = 'id truncated unknown_block_ids'

const search = tool('search: POST /search', {
  title: 'Search pages and data sources',
  description:
    'Search the titles of pages and data sources that are shared with the connection; without query, list them all. ' +
    'Returns IDs. Read a page with read_page; query a data source with query_data_source.',
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
})

const getPage = tool('get_page: GET /pages/{page_id}', {
  title: 'Get the properties of a page',
  description: 'Read the properties of a page or row: title, status, dates, people. Its text: read_page.',
  path: { page_id },
  keep: pageFields,
})

const readPage = tool(`read_page: GET ${MARKDOWN}`, {
  title: 'Read a page as Markdown',
  description:
    'Read the text of a page as Markdown. If parts are left out, their IDs are in unknown_block_ids: pass each as page_id ' +
    'to read it. Properties: get_page.',
  path: { page_id: { ...page_id, description: `${page_id.description} Or an ID of unknown_block_ids.` } },
  query: { include_transcript: optional(flag('Include transcripts of meetings. Default: false.')) },
  keep: 'id markdown truncated unknown_block_ids',
})

const createPage = tool('create_page: POST /pages', {
  title: 'Create a page',
  description:
    'Create a page below another page, or a row in a data source. Give either parent_page_id or data_source_id. For a ' +
    'row, learn the properties with get_data_source first. Returns ID and URL.',
  json: {
    parent: {
      page_id: named('parent_page_id', optional(id('The page above, from search.'))),
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
})

const updatePage = tool('update_page: PATCH /pages/{page_id}', {
  title: 'Update the properties of a page',
  description:
    'Update the title or properties of a page or row, or move it to the trash. Omitted properties stay unchanged. For ' +
    'the text use append_text, edit_text or replace_text.',
  path: { page_id },
  json: {
    properties: {
      '...': named('properties', optional(properties)),
      title: [{ text: { content: named('title', optional(text('The new title.', 2000))) } }],
    },
    in_trash: optional(flag('true moves the page to the trash, false restores it.')),
  },
  keep: pageFields,
})

const appendText = tool(`append_text: PATCH ${MARKDOWN}`, {
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
  keep: written,
})

const editText = tool(`edit_text: PATCH ${MARKDOWN}`, {
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
  keep: written,
})

const replaceText = tool(`replace_text: PATCH ${MARKDOWN}`, {
  title: 'Replace the text of a page',
  description: 'Replace the whole text of a page. Notion refuses if that would delete pages or databases in it.',
  path: { page_id },
  json: { type: 'replace_content', replace_content: { new_str: named('markdown', markdown('The new text.')) } },
  keep: written,
})

/** Notion's tools for pages. */
export const pageTools = [search, getPage, readPage, createPage, updatePage, appendText, editText, replaceText]
