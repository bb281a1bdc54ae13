import { Type } from '@sinclair/typebox'
import { done, httpTool, pick, sameNames } from '../../../../services/definitions/http-tool.ts'
import { adds, overwrites, reads, sets } from '../../annotations.ts'
import { id, listPages, listQuery, page } from '../arguments.ts'

const contact = Type.String({
  minLength: 3,
  maxLength: 320,
  description: 'The id of the contact (list_contacts), or its address.',
})
const person = {
  first_name: Type.Optional(Type.String({ maxLength: 255 })),
  last_name: Type.Optional(Type.String({ maxLength: 255 })),
  unsubscribed: Type.Optional(Type.Boolean({ description: 'Whether broadcasts leave the contact out.' })),
}
const contactFields = ['id', 'email', 'first_name', 'last_name', 'unsubscribed', 'created_at']

const listContacts = httpTool({
  operation: 'list_contacts',
  title: 'List contacts',
  description: 'List contacts, of all segments or of one: id, address, names, and whether broadcasts leave them out.',
  annotations: reads,
  input: { segment: Type.Optional(id('Only of this segment: an id; it comes from list_segments.')), ...page },
  request: { method: 'GET', path: '/contacts', query: { segment_id: '{segment}', ...listQuery } },
  pagination: listPages,
  result: pick('/data', contactFields),
})

const getContact = httpTool({
  operation: 'get_contact',
  title: 'Get contact',
  description: 'Read one contact, by id or by address.',
  annotations: reads,
  input: { contact },
  request: { method: 'GET', path: '/contacts/{contact}' },
  result: pick('', [...contactFields, 'properties']),
})

const createContact = httpTool({
  operation: 'create_contact',
  title: 'Create contact',
  description: 'Add a contact. Answers with its id; add_contact_to_segment puts it into a segment.',
  annotations: adds,
  input: {
    email: Type.String({ minLength: 3, maxLength: 320, description: 'The address alone: ada@example.com' }),
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
  description: "Change a contact's names, or whether broadcasts reach it; what is left out stays.",
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
  description: 'Put a contact into a segment.',
  annotations: sets,
  input: { contact, segment: id('The id of the segment; it comes from list_segments.') },
  request: { method: 'POST', path: '/contacts/{contact}/segments/{segment}' },
  result: done('The contact is in the segment.'),
})

const listSegments = httpTool({
  operation: 'list_segments',
  title: 'List segments',
  description: 'List the segments (once: audiences) that contacts are grouped by: id and name.',
  annotations: reads,
  input: { ...page },
  request: { method: 'GET', path: '/segments', query: listQuery },
  pagination: listPages,
  result: pick('/data', ['id', 'name', 'created_at']),
})

const createSegment = httpTool({
  operation: 'create_segment',
  title: 'Create segment',
  description: 'Add an empty segment. Answers with its id, for add_contact_to_segment and create_broadcast.',
  annotations: adds,
  input: { name: Type.String({ minLength: 1, maxLength: 255 }) },
  request: { method: 'POST', path: '/segments', body: { json: { name: '{name}' } } },
  result: pick('', ['id', 'name']),
})

/** Resend's contacts, and the segments they are in. */
export const contactTools = [
  listContacts,
  getContact,
  createContact,
  updateContact,
  addContactToSegment,
  listSegments,
  createSegment,
]
