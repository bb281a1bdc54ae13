import { Type } from '@sinclair/typebox'
import { done, httpTool, pick, sameNames } from '../../../../services/definitions/http-tool.ts'
import { adds, overwrites, reads, sets } from '../../annotations.ts'
import { id, listPages, listQuery, page } from '../arguments.ts'

const contact = Type.String({
  minLength: 3,
  maxLength: 320,
  description: 'The ID of the contact (from list_contacts), or its email address.',
})
const person = {
  first_name: Type.Optional(Type.String({ maxLength: 255 })),
  last_name: Type.Optional(Type.String({ maxLength: 255 })),
  unsubscribed: Type.Optional(Type.Boolean({ description: 'Whether broadcasts skip the contact.' })),
}
const contactFields = ['id', 'email', 'first_name', 'last_name', 'unsubscribed', 'created_at']

const listContacts = httpTool({
  operation: 'list_contacts',
  title: 'List contacts',
  description: 'List contacts, of all segments or of one: ID, email address, names, and whether broadcasts skip them.',
  annotations: reads,
  input: { segment: Type.Optional(id('Only contacts of this segment: its ID, from list_segments.')), ...page },
  request: { method: 'GET', path: '/contacts', query: { segment_id: '{segment}', ...listQuery } },
  pagination: listPages,
  result: pick('/data', contactFields),
})

const getContact = httpTool({
  operation: 'get_contact',
  title: 'Get contact',
  description: 'Read one contact, by ID or email address.',
  annotations: reads,
  input: { contact },
  request: { method: 'GET', path: '/contacts/{contact}' },
  result: pick('', [...contactFields, 'properties']),
})

const createContact = httpTool({
  operation: 'create_contact',
  title: 'Create contact',
  description: 'Add a contact. Returns its ID. To put it into a segment, use add_contact_to_segment.',
  annotations: adds,
  input: {
    email: Type.String({ minLength: 3, maxLength: 320, description: 'Only the email address: ada@example.com.' }),
    ...person,
  },
  request: {
    method: 'POST',
    path: '/contacts',
    body: { json: sameNames('email', 'first_name', 'last_name', 'unsubscribed') },
  },
  result: pick('', ['id']),
})

const updateContact = httpTool({
  operation: 'update_contact',
  title: 'Update contact',
  description: "Update a contact's names, or whether broadcasts reach it. Omitted fields stay unchanged.",
  annotations: overwrites,
  input: { contact, ...person },
  request: {
    method: 'PATCH',
    path: '/contacts/{contact}',
    body: { json: sameNames('first_name', 'last_name', 'unsubscribed') },
  },
  result: pick('', ['id']),
})

const addContactToSegment = httpTool({
  operation: 'add_contact_to_segment',
  title: 'Add contact to segment',
  description: 'Add a contact to a segment.',
  annotations: sets,
  input: { contact, segment: id('The ID of the segment, from list_segments.') },
  request: { method: 'POST', path: '/contacts/{contact}/segments/{segment}' },
  result: done('The contact is in the segment.'),
})

const listSegments = httpTool({
  operation: 'list_segments',
  title: 'List segments',
  description: 'List the segments (formerly audiences) of contacts: ID and name.',
  annotations: reads,
  input: { ...page },
  request: { method: 'GET', path: '/segments', query: listQuery },
  pagination: listPages,
  result: pick('/data', ['id', 'name', 'created_at']),
})

const createSegment = httpTool({
  operation: 'create_segment',
  title: 'Create segment',
  description: 'Add an empty segment. Returns its ID for add_contact_to_segment and create_broadcast.',
  annotations: adds,
  input: { name: Type.String({ minLength: 1, maxLength: 255 }) },
  request: { method: 'POST', path: '/segments', body: { json: { name: '{name}' } } },
  result: pick('', ['id', 'name']),
})

/** Resend tools for contacts and segments. */
export const contactTools = [
  listContacts,
  getContact,
  createContact,
  updateContact,
  addContactToSegment,
  listSegments,
  createSegment,
]
