import { Type } from '@sinclair/typebox'
import { list, members, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { reads } from '../../annotations.ts'
import { pageSize, pageStart } from '../../paging.ts'
import { id, listPages, pageFields } from '../arguments.ts'

const data_source_id = id('The ID of a data source, from search (type data_source) or get_database.')
const sort = Type.Object(
  {
    property: optional(text('A property by name. Give either property or timestamp.', 500)),
    timestamp: optional(oneOf(['created_time', 'last_edited_time'])),
    direction: oneOf(['ascending', 'descending']),
  },
  { additionalProperties: false },
)

const getDatabase = tool('get_database: GET /databases/{database_id}', {
  title: 'Get a database',
  description: 'Read a database: title and the IDs of its data sources, which hold the rows.',
  path: {
    database_id: id('The ID of a database: the parent of a row or data source (search, get_page), or from its URL.'),
  },
  keep: 'id title { plain_text } description { plain_text } url in_trash data_sources { id name }',
})

const getDataSource = tool('get_data_source: GET /data_sources/{data_source_id}', {
  title: 'Get a data source',
  description: 'Read the properties of a data source: names, types and options. query_data_source returns its rows.',
  path: { data_source_id },
  keep: `id title { plain_text } url in_trash parent { database_id } properties { * { id name type description
    select { options { name } } multi_select { options { name } } status { options { name } }
    relation { data_source_id } number { format } formula { expression } } }`,
})

const queryDataSource = tool('query_data_source: POST /data_sources/{data_source_id}/query', {
  title: 'Query the rows of a data source',
  description:
    'List the rows of a data source with their properties, filtered and sorted. Property names: get_data_source. Read ' +
    'the text of a row with read_page.',
  annotations: reads,
  path: { data_source_id },
  json: {
    filter: optional(
      members(
        'A condition in the form of the property type: {"property": "Status", "status": {"equals": "Done"}}, {"property": ' +
          '"Due", "date": {"before": "2026-03-31"}}, {"property": "Name", "title": {"contains": "a"}}. Combine with ' +
          '{"and": […]} or {"or": […]}.',
        10,
      ),
    ),
    sorts: optional(list(sort, 'The order; the first one counts most.', 10)),
    page_size: pageSize(25, 100),
    start_cursor: pageStart,
  },
  pagination: listPages,
  keep: pageFields,
})

/** Notion's tools for databases and their data sources. */
export const dataSourceTools = [getDatabase, getDataSource, queryDataSource]
