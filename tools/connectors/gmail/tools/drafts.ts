import { named, optional, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { googlePages } from '../../google.ts'
import { pageSize, pageStart } from '../../paging.ts'
import { answer, id, ME, messageFields, newEmail, readScopes, thread_id, writeScopes } from '../arguments.ts'

const draft_id = id('The ID of the draft, from list_drafts or create_draft.')
const keep = 'id message { id threadId }'

const listDrafts = tool(`list_drafts: GET ${ME}/drafts`, {
  title: 'List drafts',
  description: 'List or search drafts: their IDs. Read one with get_draft.',
  scopes: readScopes,
  query: {
    q: named('query', optional(text('As in search_threads.', 1000))),
    maxResults: pageSize(25, 500),
    pageToken: pageStart,
  },
  pagination: googlePages('/drafts'),
  keep,
})

const getDraft = tool(`get_draft: GET ${ME}/drafts/{draft_id}`, {
  title: 'Read a draft',
  description: 'Read a draft: recipients, subject and text.',
  scopes: readScopes,
  path: { draft_id },
  query: { format: 'full' },
  keep: `id message { ${messageFields} }`,
})

const createDraft = tool(`create_draft: POST ${ME}/drafts`, {
  title: 'Create a draft',
  description: 'Write a draft of a new email, which the person can change and send. Returns its ID for send_draft.',
  scopes: writeScopes,
  json: { message: { raw: newEmail } },
  keep,
})

const draftReply = tool(`draft_reply: POST ${ME}/drafts`, {
  title: 'Create a draft of an answer',
  description: 'Write a draft of an answer in its thread, with the arguments of reply. Returns its ID for send_draft.',
  scopes: writeScopes,
  json: { message: { raw: answer, threadId: named('thread_id', thread_id) } },
  keep,
})

const updateDraft = tool(`update_draft: PUT ${ME}/drafts/{draft_id}`, {
  title: 'Replace a draft',
  description:
    'Replace a draft of a new email as a whole: take what stays from get_draft. Replace the draft of an answer by deleting it and using draft_reply.',
  scopes: writeScopes,
  path: { draft_id },
  json: { message: { raw: newEmail } },
  keep,
})

const sendDraft = tool(`send_draft: POST ${ME}/drafts/send`, {
  title: 'Send a draft',
  description: 'Send a draft to its recipients.',
  scopes: writeScopes,
  json: { id: named('draft_id', draft_id) },
  keep: 'id threadId labelIds',
})

const deleteDraft = tool(`delete_draft: DELETE ${ME}/drafts/{draft_id}`, {
  title: 'Delete a draft',
  description: 'Delete a draft. It cannot be restored.',
  scopes: writeScopes,
  path: { draft_id },
  returns: done('The draft was deleted.'),
})

/** Gmail's tools for drafts. */
export const draftTools = [listDrafts, getDraft, createDraft, draftReply, updateDraft, sendDraft, deleteDraft]
