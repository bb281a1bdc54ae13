import { list, named, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites, sets } from '../../annotations.ts'
import { changeScopes, id, ME, readScopes, thread_id } from '../arguments.ts'

const path = { thread_id }
const keep = 'id messages { id labelIds }'

const listLabels = tool(`list_labels: GET ${ME}/labels`, {
  title: 'List labels',
  description:
    'List the labels of the mailbox with their IDs, those of Gmail too: INBOX, UNREAD, STARRED, SPAM, TRASH.',
  scopes: readScopes,
  at: '/labels',
  keep: 'id name type',
})

const createLabel = tool(`create_label: POST ${ME}/labels`, {
  title: 'Create a label',
  description: 'Create a label. Returns its ID for label_thread. A slash makes it part of another one: Clients/Acme.',
  scopes: changeScopes,
  json: { name: text('The name.', 225) },
  keep: 'id name',
})

const labelThread = tool(`label_thread: POST ${ME}/threads/{thread_id}/modify`, {
  title: 'Label a thread',
  description:
    'Add labels to all messages of a thread, or remove them. Removing UNREAD marks it as read; adding STARRED stars it; ' +
    'adding INBOX takes it out of the archive.',
  annotations: sets,
  scopes: changeScopes,
  path,
  json: {
    addLabelIds: named('add', optional(list(id(''), 'IDs of labels to add, from list_labels.', 100))),
    removeLabelIds: named('remove', optional(list(id(''), 'IDs of labels to remove.', 100))),
  },
  needsOneOf: ['add', 'remove'],
  keep,
})

const archiveThread = tool(`archive_thread: POST ${ME}/threads/{thread_id}/modify`, {
  title: 'Archive a thread',
  description: 'Take a thread out of the inbox. Search still finds it.',
  annotations: sets,
  scopes: changeScopes,
  path,
  json: { removeLabelIds: ['INBOX'] },
  keep,
})

const trashThread = tool(`trash_thread: POST ${ME}/threads/{thread_id}/trash`, {
  title: 'Move a thread to the trash',
  description: 'Move a thread to the trash. Gmail deletes it after 30 days; restore_thread undoes it.',
  annotations: overwrites,
  scopes: changeScopes,
  path,
  keep,
})

const restoreThread = tool(`restore_thread: POST ${ME}/threads/{thread_id}/untrash`, {
  title: 'Restore a thread from the trash',
  description: 'Take a thread out of the trash. Find it with search_threads and in:trash.',
  annotations: sets,
  scopes: changeScopes,
  path,
  keep,
})

/** Gmail's tools for labels and the trash. */
export const labelTools = [listLabels, createLabel, labelThread, archiveThread, trashThread, restoreThread]
