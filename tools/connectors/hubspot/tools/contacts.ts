import { named, optional } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { reads } from '../../annotations.ts'
import {
  company_id,
  contact_id,
  link,
  listPages,
  OBJECTS,
  oneRecord,
  otherProperties,
  owner_id,
  property,
  reading,
  recordFields,
  search,
} from '../arguments.ts'

const CONTACTS = `${OBJECTS}/contacts`
const readScopes = ['crm.objects.contacts.read']
const writeScopes = ['crm.objects.contacts.write']
const usual =
  'email firstname lastname phone jobtitle company lifecyclestage hs_lead_status hubspot_owner_id createdate lastmodifieddate'.split(
    ' ',
  )
const properties = {
  '...': otherProperties('contacts'),
  email: property('The email address, which identifies a contact.', 320),
  firstname: named('first_name', property('The first name.')),
  lastname: named('last_name', property('The last name.')),
  phone: property('The phone number.', 100),
  jobtitle: named('job_title', property('The job title.')),
  lifecyclestage: named(
    'lifecycle_stage',
    property(
      'The stage by its internal name: lead, opportunity, customer. To move it back, first clear it with an empty text in a call of its own.',
      100,
    ),
  ),
  hubspot_owner_id: owner_id,
}

const searchContacts = tool(`search_contacts: POST ${CONTACTS}/search`, {
  title: 'Search contacts',
  description:
    'Search contacts by words or by properties; without both, list them. Returns their IDs and usual properties. At most ' +
    '10000 contacts of a search can be read. Archived ones and changes of the last seconds are missing.',
  annotations: reads,
  scopes: readScopes,
  json: search(usual),
  pagination: listPages,
  keep: recordFields,
})

const getContact = tool(`get_contact: GET ${CONTACTS}/{contact_id}`, {
  title: 'Get a contact',
  description:
    'Read one contact with its properties. Its notes, tasks and calls: search_notes, search_tasks, search_calls.',
  scopes: readScopes,
  path: { contact_id },
  query: reading(usual),
  keep: oneRecord,
})

const createContact = tool(`create_contact: POST ${CONTACTS}`, {
  title: 'Create a contact',
  description:
    'Create a contact, for a company if you give one. Search for the email address first: there is one contact for each. ' +
    'Returns its ID.',
  scopes: writeScopes,
  json: { properties, associations: [link(named('company_id', optional(company_id)), 279)] },
  needsOneOf: ['email', 'first_name', 'last_name', 'properties'],
  keep: recordFields,
})

const updateContact = tool(`update_contact: PATCH ${CONTACTS}/{contact_id}`, {
  title: 'Update a contact',
  description: 'Update properties of a contact. Omitted ones stay unchanged; an empty text clears one.',
  scopes: writeScopes,
  path: { contact_id },
  json: { properties },
  keep: recordFields,
})

/** HubSpot's tools for contacts. */
export const contactTools = [searchContacts, getContact, createContact, updateContact]
