import { members, text } from '../../../services/definitions/arguments.ts'
import { pageSize, pageStart } from '../paging.ts'

/** The paging of all lists. */
export const listQuery = { page_size: pageSize(25, 100), start_cursor: pageStart } as const
export const listPages = { style: 'cursor', items: '/results', next: '/next_cursor', more: '/has_more' } as const

/** An ID of Notion, with or without dashes. */
export function id(description: string) {
  return text(description, 36, { pattern: '^[0-9a-fA-F-]{32,36}$' })
}

/** The page of most tools. */
export const page_id = id('The ID of a page: from search or query_data_source, or the 32 digits at the end of its URL.')

/** Long Markdown. */
export function markdown(description: string) {
  return text(description, 200_000)
}

/** The properties of a page. */
export const properties = members(
  'Values by property name, in the form of their type from get_data_source: {"Status": {"status": {"name": "Done"}}, ' +
    '"Due": {"date": {"start": "2026-03-31"}}, "Tags": {"multi_select": [{"name": "a"}]}, "Points": {"number": 3}, ' +
    '"Notes": {"rich_text": [{"text": {"content": "…"}}]}, "Owner": {"people": [{"id": "…"}]}}. null clears date, select and number.',
  100,
)

/** The values of a page's properties, without their styles. */
const propertyFields = `properties { * { id type title { plain_text } rich_text { plain_text } number checkbox
  url email phone_number date { start end } select { name } status { name } multi_select { name } people { id name }
  relation { id } files { name } formula rollup { type number date { start end } } unique_id { prefix number } created_by { id name }
  last_edited_by { id name } } }`

/** The fields of pages that are kept. */
export const pageFields = `object id url in_trash created_time last_edited_time parent { type page_id database_id data_source_id }
  ${propertyFields}`
