import { list, members, named, optional, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { reads, tool } from '../../../../services/definitions/tool.ts'
import { cursor, limit, pageSize } from '../../shared-arguments.ts'
import { DATA, FIELDS, id, scopes } from '../arguments.ts'

/** A kind of records. */
const object = text(
  'The API name of the object: Account, Contact, Opportunity, Case, Lead, Task, or a custom one such as Invoice__c, from list_objects.',
  255,
  { pattern: '^[A-Za-z][A-Za-z0-9_]*$' },
)
const record_id = id(
  'The ID of the record, from query_records, search_accounts, search_contacts, search_leads, search_opportunities, search_cases or list_related_records.',
)

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
const names = list(text('', 255, { pattern: '^[A-Za-z][A-Za-z0-9_.]*$' }), 'API names, from describe_object.', 200)
const fields = { $join: optional(names), separator: ',' }

const RESULTS = '/searchRecords'
const words = named('query', text('Words: a name, an email address, a phone number. * is a wildcard.', 200, { min: 2 }))
const number = named('limit', limit({ max: 200, default: 20 }))

/** A tool that searches the records of an object by words. Such a search needs no SOSL, and its words need no escapes. */
function searchTool(records: string, object: string, fields: string, description: string) {
  return tool(`search_${records}: POST ${DATA}/parameterizedSearch/`, {
    title: `Search ${records}`,
    description,
    annotations: reads,
    scopes,
    json: { q: words, in: 'ALL', sobjects: [{ name: object, fields: fields.split(' '), limit: number }] },
    at: RESULTS,
    keep: fields,
  })
}

const RECORD = `${DATA}/sobjects/{object}/{record_id}`
const written = (description: string) =>
  named('fields', { ...members(`${description} ${FIELDS}`, 200), minProperties: 1 })

/** Salesforce's tools for records of any kind: queries, searches, reading and writing. */
export const recordTools = [
  tool(`query_records: GET ${DATA}/query`, {
    title: 'Query records',
    description:
      'Query records of any kind with SOQL: SELECT Id, Name, Owner.Name FROM Opportunity WHERE IsClosed = false AND ' +
      "Account.Name LIKE 'Acme%' ORDER BY CloseDate LIMIT 50. Also COUNT(), GROUP BY, and dates such as " +
      'LAST_N_DAYS:30. There is no SELECT *: field names are those of describe_object.',
    scopes,
    path: { cursor },
    query: { q: text('The SOQL, with LIMIT unless all records are needed.', 20_000) },
    headers,
    pagination: queryPages,
  }),

  tool(`list_related_records: GET ${DATA}/sobjects/{object}/{record_id}/{relationship}`, {
    title: 'List related records',
    description:
      'List the records of a related list: the Contacts, Opportunities or Cases of an account. Returns the fields you name, else all.',
    scopes,
    path: {
      object,
      record_id,
      relationship: text(
        'The relationshipName in childRelationships of describe_object: Contacts, Opportunities.',
        255,
        {
          pattern: '^[A-Za-z][A-Za-z0-9_]*$',
        },
      ),
      cursor,
    },
    query: { fields },
    headers,
    pagination: queryPages,
  }),

  tool(`list_objects: GET ${DATA}/sobjects`, {
    title: 'List objects',
    description:
      'List the objects (kinds of records) of the org with their API names and labels, custom ones included. The fields of one: describe_object.',
    scopes,
    at: '/sobjects',
    keep: 'name label custom',
  }),

  tool(`describe_object: GET ${DATA}/sobjects/{object}/describe`, {
    title: 'Describe an object',
    description:
      'Read the fields of an object: API name, label, type, whether required (not nillable) and writable, values of ' +
      'picklists, references; and its related lists and record types.',
    scopes,
    path: { object },
    keep: `name label fields { name label type nillable defaultedOnCreate createable updateable referenceTo relationshipName
    picklistValues { value label active } } childRelationships { relationshipName childSObject }
    recordTypeInfos { recordTypeId name available }`,
  }),

  tool(`list_recent_records: GET ${DATA}/recent`, {
    title: 'List recent records',
    description: 'List the records that you viewed last, of all kinds: ID, name and object.',
    scopes,
    query: { limit: pageSize(20, 200) },
    keep: 'Id Name attributes { type }',
  }),

  tool('get_current_user: GET /services/oauth2/userinfo', {
    title: 'Get the current user',
    description: 'Read who is connected: user ID (for OwnerId), name, email address, organization, time zone.',
    scopes,
    // Salesforce answers an expired token there with 403, which would not renew it. The resources of the API answer 401.
    steps: [{ step: `session: GET ${DATA}` }],
    keep: 'user_id organization_id name preferred_username email zoneinfo locale',
  }),

  searchTool(
    'accounts',
    'Account',
    'Id Name Website Phone Industry BillingCity BillingCountry OwnerId',
    'Search accounts (companies) by words. Returns IDs and usual fields. By other fields: query_records.',
  ),

  searchTool(
    'contacts',
    'Contact',
    'Id Name Email Phone Title AccountId OwnerId',
    'Search contacts (people) by words. Returns IDs and usual fields. By other fields: query_records.',
  ),

  searchTool(
    'leads',
    'Lead',
    'Id Name Company Email Phone Status IsConverted OwnerId',
    'Search leads by words. Returns IDs and usual fields. By other fields: query_records.',
  ),

  searchTool(
    'opportunities',
    'Opportunity',
    'Id Name StageName Amount CloseDate IsClosed IsWon AccountId OwnerId',
    'Search opportunities (deals) by words. Returns IDs, stages and amounts. Open ones, or those of an account: query_records.',
  ),

  searchTool(
    'cases',
    'Case',
    'Id CaseNumber Subject Status Priority IsClosed ContactId AccountId OwnerId CreatedDate',
    'Search support cases by words or number. Returns IDs and states. Open ones, or those of a contact: query_records.',
  ),

  searchTool(
    'users',
    'User',
    'Id Name Email Username Title IsActive',
    'Search the users of the org by words. Returns the IDs that own records and tasks.',
  ),

  tool(`search_with_sosl: GET ${DATA}/search/`, {
    title: 'Search with SOSL',
    description:
      'Search several kinds of records at once with SOSL: FIND {Acme} IN ALL FIELDS RETURNING Account(Id, Name), ' +
      'Contact(Id, Name, Email) LIMIT 20. Put a backslash before ? & | ! { } [ ] ( ) ^ ~ * : \\ " \' + - in the ' +
      'words.',
    scopes,
    query: { q: text('The SOSL, with LIMIT.', 20_000) },
    at: RESULTS,
  }),

  tool(`get_record: GET ${RECORD}`, {
    title: 'Get a record',
    description: 'Read one record of any kind: the fields you name, else all of them.',
    scopes,
    path: { object, record_id },
    query: { fields },
  }),

  tool(`create_record: POST ${DATA}/sobjects/{object}`, {
    title: 'Create a record',
    description:
      'Create a record of any kind. Learn its fields with describe_object first. For accounts, contacts, leads, ' +
      'opportunities, cases and tasks there are separate tools. Returns its ID.',
    scopes,
    path: { object },
    json: { '...': written('The fields') },
    keep: 'id success',
  }),

  tool(`update_record: PATCH ${RECORD}`, {
    title: 'Update a record',
    description:
      'Update fields of a record of any kind: move an opportunity to another stage, close a case, complete a task. Other fields stay unchanged; null clears one.',
    scopes,
    path: { object, record_id },
    json: { '...': written('The fields to change') },
    returns: done('The {object} {record_id} was updated.'),
  }),

  tool(`delete_record: DELETE ${RECORD}`, {
    title: 'Delete a record',
    description:
      'Move a record of any kind to the recycle bin, with the records that depend on it. It can be restored there for 15 days.',
    scopes,
    path: { object, record_id },
    returns: done('The {object} {record_id} was deleted.'),
  }),
]
