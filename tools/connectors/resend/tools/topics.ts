import { oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { listPages, listQuery, topic } from '../arguments.ts'

const name = text('The name that contacts see.', 50)
const description = optional(text('What contacts get if they subscribe.', 200))
const visibility = optional(
  oneOf(
    ['public', 'private'],
    'public: every contact can find it on the page for preferences. private: only subscribers.',
  ),
)

const listTopics = tool('list_topics: GET /topics', {
  title: 'List topics',
  description: 'List the topics that contacts can subscribe to or leave, such as a newsletter.',
  query: listQuery,
  pagination: listPages,
  keep: 'id name description default_subscription visibility created_at',
})

const createTopic = tool('create_topic: POST /topics', {
  title: 'Create topic',
  description: 'Add a topic. Returns its ID for create_broadcast and update_contact_topics.',
  json: {
    name,
    default_subscription: oneOf(
      ['opt_in', 'opt_out'],
      'opt_in: contacts get its emails until they leave. opt_out: only those who subscribe. It is final.',
    ),
    description,
    visibility,
  },
  keep: 'id',
})

const updateTopic = tool('update_topic: PATCH /topics/{topic}', {
  title: 'Update topic',
  description: 'Change the name, the description or the visibility of a topic. Omitted fields stay unchanged.',
  path: { topic },
  json: { name: optional(name), description, visibility },
  keep: 'id',
})

const deleteTopic = tool('delete_topic: DELETE /topics/{topic}', {
  title: 'Delete topic',
  description: 'Delete a topic permanently, with the subscriptions to it.',
  path: { topic },
  keep: 'id deleted',
})

/** Resend tools for topics. */
export const topicTools = [listTopics, createTopic, updateTopic, deleteTopic]
