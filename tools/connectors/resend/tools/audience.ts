import { Type } from '@sinclair/typebox'
import { clearable, flag, list, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { sets, tool } from '../../../../services/definitions/tool.ts'
import { id, listPages, listQuery, topic, values } from '../arguments.ts'

const segment = id('The ID of the segment, from list_segments.')
const contact = text('The ID of the contact (from list_contacts), or its email address.', 320, { min: 3 })
const personName = (which: string) => text(`Their ${which} name.`, 255, { min: 0 })
const unsubscribed = optional(flag('Whether broadcasts skip the contact.'))
const contactFields = 'id email first_name last_name unsubscribed created_at'
const subscription = Type.Object(
  { id: topic, subscription: oneOf(['opt_in', 'opt_out'], 'opt_in: they get its email.') },
  { additionalProperties: false },
)

const topicName = text('The name that contacts see.', 50)
const description = optional(text('What contacts get if they subscribe.', 200))
const visibility = optional(
  oneOf(
    ['public', 'private'],
    'public: every contact can find it on the page for preferences. private: only subscribers.',
  ),
)

const suppressionPath = {
  suppression: text('The ID of the suppression (from list_suppressions), or the email address.', 320, { min: 3 }),
}
const suppressionFields = 'id email origin source_id created_at'

/** Resend tools for contacts, and the segments and topics that they belong to. */
export const audienceTools = [
  tool('list_contacts: GET /contacts', {
    title: 'List contacts',
    description:
      'List contacts, of all segments or of one: ID, email address, names, and whether broadcasts skip them.',
    query: {
      segment_id: named('segment', optional(id('Only contacts of this segment: its ID, from list_segments.'))),
      ...listQuery,
    },
    pagination: listPages,
    keep: contactFields,
  }),

  tool('get_contact: GET /contacts/{contact}', {
    title: 'Get contact',
    description: 'Read one contact, by ID or email address.',
    path: { contact },
    keep: `${contactFields} properties`,
  }),

  tool('create_contact: POST /contacts', {
    title: 'Create contact',
    description: 'Add a contact. Returns its ID. To put it into a segment, use add_contact_to_segment.',
    json: {
      email: text('Only the email address: ada@example.com.', 320, { min: 3 }),
      first_name: optional(personName('first')),
      last_name: optional(personName('last')),
      unsubscribed,
      properties: optional(values('Values by property key, from list_contact_properties.')),
    },
    keep: 'id',
  }),

  tool('update_contact: PATCH /contacts/{contact}', {
    title: 'Update contact',
    description: "Update a contact's names, or whether broadcasts reach it. Omitted fields stay unchanged.",
    path: { contact },
    json: {
      first_name: clearable(personName('first')),
      last_name: clearable(personName('last')),
      unsubscribed,
      properties: optional(values('Values by property key, from list_contact_properties. null removes a value.', true)),
    },
    keep: 'id',
  }),

  tool('delete_contact: DELETE /contacts/{contact}', {
    title: 'Delete contact',
    description: 'Delete a contact from all segments permanently. To only stop broadcasts, use update_contact.',
    path: { contact },
    returns: done('The contact is deleted.'),
  }),

  tool('add_contact_to_segment: POST /contacts/{contact}/segments/{segment}', {
    title: 'Add contact to segment',
    description: 'Add a contact to a segment.',
    annotations: sets,
    path: { contact, segment },
    returns: done('The contact is in the segment.'),
  }),

  tool('remove_contact_from_segment: DELETE /contacts/{contact}/segments/{segment}', {
    title: 'Remove contact from segment',
    description: 'Remove a contact from a segment. The contact stays.',
    path: { contact, segment },
    returns: done('The contact is no longer in the segment.'),
  }),

  tool('list_contact_segments: GET /contacts/{contact}/segments', {
    title: 'List contact segments',
    description: 'List the segments that a contact is in.',
    path: { contact },
    query: listQuery,
    pagination: listPages,
    keep: 'id name created_at',
  }),

  tool('list_contact_topics: GET /contacts/{contact}/topics', {
    title: 'List contact topics',
    description: 'List the topics, and whether a contact is subscribed to each.',
    path: { contact },
    query: listQuery,
    pagination: listPages,
    keep: 'id name description subscription',
  }),

  tool('update_contact_topics: PATCH /contacts/{contact}/topics', {
    title: 'Update contact topics',
    description:
      'Subscribe a contact to topics, or unsubscribe it. Only opt in people who agreed. Other topics stay unchanged.',
    path: { contact },
    json: named('topics', list(subscription, 'The topics to change.', 50)),
    returns: done('The subscriptions are changed.'),
  }),

  tool('list_contact_properties: GET /contact-properties', {
    title: 'List contact properties',
    description: 'List the properties that contacts can have: key, type, and the value of contacts without one.',
    query: listQuery,
    pagination: listPages,
    keep: 'id key type fallback_value created_at',
  }),

  tool('list_segments: GET /segments', {
    title: 'List segments',
    description: 'List the segments (formerly audiences) of contacts: ID and name.',
    query: listQuery,
    pagination: listPages,
    keep: 'id name created_at',
  }),

  tool('create_segment: POST /segments', {
    title: 'Create segment',
    description: 'Add an empty segment. Returns its ID for add_contact_to_segment and create_broadcast.',
    json: { name: text('The name.', 255) },
    keep: 'id name',
  }),

  tool('delete_segment: DELETE /segments/{segment}', {
    title: 'Delete segment',
    description: 'Delete a segment permanently. Its contacts stay.',
    path: { segment },
    keep: 'id deleted',
  }),

  tool('list_topics: GET /topics', {
    title: 'List topics',
    description: 'List the topics that contacts can subscribe to or leave, such as a newsletter.',
    query: listQuery,
    pagination: listPages,
    keep: 'id name description default_subscription visibility created_at',
  }),

  tool('create_topic: POST /topics', {
    title: 'Create topic',
    description: 'Add a topic. Returns its ID for create_broadcast and update_contact_topics.',
    json: {
      name: topicName,
      default_subscription: oneOf(
        ['opt_in', 'opt_out'],
        'opt_in: contacts get its emails until they leave. opt_out: only those who subscribe. This cannot be changed.',
      ),
      description,
      visibility,
    },
    keep: 'id',
  }),

  tool('update_topic: PATCH /topics/{topic}', {
    title: 'Update topic',
    description: 'Change the name, the description or the visibility of a topic. Omitted fields stay unchanged.',
    path: { topic },
    json: { name: optional(topicName), description, visibility },
    keep: 'id',
  }),

  tool('delete_topic: DELETE /topics/{topic}', {
    title: 'Delete topic',
    description: 'Delete a topic permanently, with the subscriptions to it.',
    path: { topic },
    keep: 'id deleted',
  }),
]

/** Resend tools for addresses that get no email. */
export const suppressionTools = [
  tool('list_suppressions: GET /suppressions', {
    title: 'List suppressions',
    description: 'List the addresses to which Resend sends nothing, and why: a bounce, a complaint, or added by hand.',
    query: { origin: optional(oneOf(['bounce', 'complaint', 'manual'], 'Only these.')), ...listQuery },
    pagination: listPages,
    keep: suppressionFields,
  }),

  tool('get_suppression: GET /suppressions/{suppression}', {
    title: 'Get suppression',
    description: 'Read why Resend sends nothing to an address. An address that is not found gets email.',
    path: suppressionPath,
    keep: suppressionFields,
  }),

  tool('create_suppression: POST /suppressions', {
    title: 'Create suppression',
    description: 'Send nothing more to an address.',
    annotations: sets,
    json: { email: text('The email address.', 320, { min: 3 }) },
    keep: 'id',
  }),

  tool('delete_suppression: DELETE /suppressions/{suppression}', {
    title: 'Delete suppression',
    description: 'Allow email to an address again. After a complaint, only do this at the request of the person.',
    path: suppressionPath,
    keep: 'id deleted',
  }),
]
