import { named, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { reads } from '../../annotations.ts'
import { limit } from '../../paging.ts'
import { DATA, scopes } from '../arguments.ts'

/** A search needs no SOSL, and its words need no escapes. */
const SEARCH = `POST ${DATA}/parameterizedSearch/`
const RESULTS = '/searchRecords'
const words = named('query', text('Words: a name, an email address, a phone number. * is a wildcard.', 200, { min: 2 }))

function search(name: string, fields: string) {
  const number = named('limit', limit({ max: 200, default: 20 }))
  return { q: words, in: 'ALL', sobjects: [{ name, fields: fields.split(' '), limit: number }] }
}

const ACCOUNT = 'Id Name Website Phone Industry BillingCity BillingCountry OwnerId'
const CONTACT = 'Id Name Email Phone Title AccountId OwnerId'
const LEAD = 'Id Name Company Email Phone Status IsConverted OwnerId'
const OPPORTUNITY = 'Id Name StageName Amount CloseDate IsClosed IsWon AccountId OwnerId'
const CASE = 'Id CaseNumber Subject Status Priority IsClosed ContactId AccountId OwnerId CreatedDate'
const USER = 'Id Name Email Username Title IsActive'

const searchAccounts = tool(`search_accounts: ${SEARCH}`, {
  title: 'Search accounts',
  description: 'Search accounts (companies) by words. Returns IDs and usual fields. By other fields: query_records.',
  annotations: reads,
  scopes,
  json: search('Account', ACCOUNT),
  at: RESULTS,
  keep: ACCOUNT,
})

const searchContacts = tool(`search_contacts: ${SEARCH}`, {
  title: 'Search contacts',
  description: 'Search contacts (people) by words. Returns IDs and usual fields. By other fields: query_records.',
  annotations: reads,
  scopes,
  json: search('Contact', CONTACT),
  at: RESULTS,
  keep: CONTACT,
})

const searchLeads = tool(`search_leads: ${SEARCH}`, {
  title: 'Search leads',
  description: 'Search leads by words. Returns IDs and usual fields. By other fields: query_records.',
  annotations: reads,
  scopes,
  json: search('Lead', LEAD),
  at: RESULTS,
  keep: LEAD,
})

const searchOpportunities = tool(`search_opportunities: ${SEARCH}`, {
  title: 'Search opportunities',
  description:
    'Search opportunities (deals) by words. Returns IDs, stages and amounts. Open ones, or those of an account: query_records.',
  annotations: reads,
  scopes,
  json: search('Opportunity', OPPORTUNITY),
  at: RESULTS,
  keep: OPPORTUNITY,
})

const searchCases = tool(`search_cases: ${SEARCH}`, {
  title: 'Search cases',
  description:
    'Search support cases by words or number. Returns IDs and states. Open ones, or those of a contact: query_records.',
  annotations: reads,
  scopes,
  json: search('Case', CASE),
  at: RESULTS,
  keep: CASE,
})

const searchUsers = tool(`search_users: ${SEARCH}`, {
  title: 'Search users',
  description: 'Search the users of the org by words. Returns the IDs that own records and tasks.',
  annotations: reads,
  scopes,
  json: search('User', USER),
  at: RESULTS,
  keep: USER,
})

const searchWithSosl = tool(`search_with_sosl: GET ${DATA}/search/`, {
  title: 'Search with SOSL',
  description:
    'Search several kinds of records at once with SOSL: FIND {Acme} IN ALL FIELDS RETURNING Account(Id, Name), Contact(Id, Name, Email) LIMIT 20. ' +
    'Put a backslash before ? & | ! { } [ ] ( ) ^ ~ * : \\ " \' + - in the words.',
  scopes,
  query: { q: text('The SOSL, with LIMIT.', 20_000) },
  at: RESULTS,
})

/** Salesforce's tools for searches by words. */
export const searchTools = [
  searchAccounts,
  searchContacts,
  searchLeads,
  searchOpportunities,
  searchCases,
  searchUsers,
  searchWithSosl,
]
