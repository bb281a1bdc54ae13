import { list, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { cursor, pageSize } from '../../paging.ts'
import { DATA, object, record_id, scopes } from '../arguments.ts'

/** The next page of a query has a path of its own: /services/data/v67.0/query/01gD0000002HU6KIAW-200. */
const queryPages = {
  style: 'next-url',
  items: '/records',
  next: '/nextRecordsUrl',
  nextPath: `${DATA}/query/{cursor}`,
  last: '/done',
} as const
/** Salesforce pages by 2000 records. This is the smallest number that it takes. */
const headers = { 'sforce-query-options': 'batchSize=200' }
const fields = list(text('', 255, { pattern: '^[A-Za-z][A-Za-z0-9_.]*$' }), 'API names, from describe_object.', 200)

const queryRecords = tool(`query_records: GET ${DATA}/query`, {
  title: 'Query records',
  description:
    "Query records of any kind with SOQL: SELECT Id, Name, Owner.Name FROM Opportunity WHERE IsClosed = false AND Account.Name LIKE 'Acme%' " +
    'ORDER BY CloseDate LIMIT 50. Also COUNT(), GROUP BY, and dates such as LAST_N_DAYS:30. There is no SELECT *: field names ' +
    'are those of describe_object.',
  scopes,
  path: { cursor },
  query: { q: text('The SOQL, with LIMIT unless all records are needed.', 20_000) },
  headers,
  pagination: queryPages,
})

const listRelatedRecords = tool(`list_related_records: GET ${DATA}/sobjects/{object}/{record_id}/{relationship}`, {
  title: 'List related records',
  description:
    'List the records of a related list: the Contacts, Opportunities or Cases of an account. Returns the fields you name, else all.',
  scopes,
  path: {
    object,
    record_id,
    relationship: text('The relationshipName in childRelationships of describe_object: Contacts, Opportunities.', 255, {
      pattern: '^[A-Za-z][A-Za-z0-9_]*$',
    }),
    cursor,
  },
  query: { fields: { $join: optional(fields), separator: ',' } },
  headers,
  pagination: queryPages,
})

const listObjects = tool(`list_objects: GET ${DATA}/sobjects`, {
  title: 'List objects',
  description:
    'List the objects (kinds of records) of the org with their API names and labels, custom ones included. The fields of one: describe_object.',
  scopes,
  at: '/sobjects',
  keep: 'name label custom',
})

const describeObject = tool(`describe_object: GET ${DATA}/sobjects/{object}/describe`, {
  title: 'Describe an object',
  description:
    'Read the fields of an object: API name, label, type, whether required (not nillable) and writable, values of picklists, references; and its ' +
    'related lists and record types.',
  scopes,
  path: { object },
  keep: `name label fields { name label type nillable defaultedOnCreate createable updateable referenceTo relationshipName
    picklistValues { value label active } } childRelationships { relationshipName childSObject }
    recordTypeInfos { recordTypeId name available }`,
})

const listRecentRecords = tool(`list_recent_records: GET ${DATA}/recent`, {
  title: 'List recent records',
  description: 'List the records that you viewed last, of all kinds: ID, name and object.',
  scopes,
  query: { limit: pageSize(20, 200) },
  keep: 'Id Name attributes { type }',
})

const getCurrentUser = tool('get_current_user: GET /services/oauth2/userinfo', {
  title: 'Get the current user',
  description: 'Read who is connected: user ID (for OwnerId), name, email address, organization, time zone.',
  scopes,
  // Salesforce answers an expired token there with 403, which would not renew it. The resources of the API answer 401.
  steps: [{ step: `session: GET ${DATA}` }],
  keep: 'user_id organization_id name preferred_username email zoneinfo locale',
})

/** Salesforce's tools for queries, and for what there is. */
export const queryTools = [
  queryRecords,
  listRelatedRecords,
  listObjects,
  describeObject,
  listRecentRecords,
  getCurrentUser,
]
