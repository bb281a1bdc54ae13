import { Type } from '@sinclair/typebox'
import { clearable, flag, list, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites, sets } from '../../annotations.ts'
import { contact, id, listPages, listQuery, segment, topic, values } from '../arguments.ts'

const path = { contact }
const name = text('', 255, { min: 0 })
const unsubscribed = optional(flag('Whether broadcasts skip the contact.'))
const contactFields = 'id email first_name last_name unsubscribed created_at'
const subscription = Type.Object(
  { id: topic, subscription: oneOf(['opt_in', 'opt_out']) },
  { additionalProperties: false },
)

const listContacts = tool('list_contacts: GET /contacts', {
  title: 'List contacts',
  description: 'List contacts, of all segments or of one: ID, email address, names, and whether broadcasts skip them.',
  query: {
    segment_id: named('segment', optional(id('Only contacts of this segment: its ID, from list_segments.'))),
    ...listQuery,
  },
  pagination: listPages,
  keep: contactFields,
})

const getContact = tool('get_contact: GET /contacts/{contact}', {
  title: 'Get contact',
  description: 'Read one contact, by ID or email address.',
  path,
  keep: `${contactFields} properties`,
})

const createContact = tool('create_contact: POST /contacts', {
  title: 'Create contact',
  description: 'Add a contact. Returns its ID. To put it into a segment, use add_contact_to_segment.',
  json: {
    email: text('Only the email address: ada@example.com.', 320, { min: 3 }),
    first_name: optional(name),
    last_name: optional(name),
    unsubscribed,
    properties: optional(values('Values by property key, from list_contact_properties.')),
  },
  keep: 'id',
})

const updateContact = tool('update_contact: PATCH /contacts/{contact}', {
  title: 'Update contact',
  description: "Update a contact's names, or whether broadcasts reach it. Omitted fields stay unchanged.",
  path,
  json: {
    first_name: clearable(name),
    last_name: clearable(name),
    unsubscribed,
    properties: optional(values('Values by property key, from list_contact_properties. null removes a value.', true)),
  },
  keep: 'id',
})

const deleteContact = tool('delete_contact: DELETE /contacts/{contact}', {
  title: 'Delete contact',
  description: 'Delete a contact from all segments permanently. To only stop broadcasts, use update_contact.',
  path,
  returns: done('The contact is deleted.'),
})

const addContactToSegment = tool('add_contact_to_segment: POST /contacts/{contact}/segments/{segment}', {
  title: 'Add contact to segment',
  description: 'Add a contact to a segment.',
  annotations: sets,
  path: { contact, segment },
  returns: done('The contact is in the segment.'),
})

const removeContactFromSegment = tool('remove_contact_from_segment: DELETE /contacts/{contact}/segments/{segment}', {
  title: 'Remove contact from segment',
  description: 'Remove a contact from a segment. The contact stays.',
  path: { contact, segment },
  returns: done('The contact is no longer in the segment.'),
})

const listContactSegments = tool('list_contact_segments: GET /contacts/{contact}/segments', {
  title: 'List contact segments',
  description: 'List the segments that a contact is in.',
  path,
  query: listQuery,
  pagination: listPages,
  keep: 'id name created_at',
})

const listContactTopics = tool('list_contact_topics: GET /contacts/{contact}/topics', {
  title: 'List contact topics',
  description: 'List the topics, and whether a contact is subscribed to each.',
  path,
  query: listQuery,
  pagination: listPages,
  keep: 'id name description subscription',
})

const updateContactTopics = tool('update_contact_topics: PATCH /contacts/{contact}/topics', {
  title: 'Update contact topics',
  description: 'Subscribe a contact to topics, or unsubscribe it. Only opt people in who agreed. Other topics stay.',
  annotations: overwrites,
  path,
  json: named('topics', list(subscription, 'The topics to change.', 50)),
  returns: done('The subscriptions are changed.'),
})

const listContactProperties = tool('list_contact_properties: GET /contact-properties', {
  title: 'List contact properties',
  description: 'List the properties that contacts can have: key, type, and the value of contacts without one.',
  query: listQuery,
  pagination: listPages,
  keep: 'id key type fallback_value created_at',
})

/** Resend tools for contacts. */
export const contactTools = [
  listContacts,
  getContact,
  createContact,
  updateContact,
  deleteContact,
  addContactToSegment,
  removeContactFromSegment,
  listContactSegments,
  listContactTopics,
  updateContactTopics,
  listContactProperties,
]
