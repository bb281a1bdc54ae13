import { either, named } from '../../../../services/definitions/arguments.ts'
import { FileNameArgument, fileArgument } from '../../../../services/definitions/file-argument.ts'
import { file } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { id, message_id, readScopes, writeScopes } from '../arguments.ts'

const ATTACHMENTS = '/me/messages/{message_id}/attachments'

const listAttachments = tool(`list_attachments: GET ${ATTACHMENTS}`, {
  title: 'List attachments',
  description: 'List the attachments of an email: IDs for download_attachment, names, types and sizes in bytes.',
  scopes: readScopes,
  path: { message_id },
  query: { $select: 'id,name,contentType,size,isInline' },
  at: '/value',
  keep: 'id name contentType size isInline',
})

const downloadAttachment = tool(`download_attachment: GET ${ATTACHMENTS}/{attachment_id}/$value`, {
  title: 'Download an attachment',
  description:
    'Read the content of an attachment; an attached email or event in its own format. Returns an artifact ID and a URL. A ' +
    'link to a file in OneDrive has no content.',
  scopes: readScopes,
  path: { message_id, attachment_id: id('The ID of the attachment, from list_attachments.') },
  steps: [{ step: `info: GET ${ATTACHMENTS}/{attachment_id}`, query: { $select: 'name' }, keep: { name: '/name' } }],
  returns: file('{info.name}'),
})

const addAttachment = tool('add_attachment: POST /me/messages/{draft_id}/attachments', {
  title: 'Add an attachment',
  description: 'Attach a file of at most 3 MB to a draft. Then send it with send_draft.',
  scopes: writeScopes,
  path: { draft_id: id('The ID of the draft, from create_draft, draft_reply or list_messages of drafts.') },
  json: {
    '@odata.type': '#microsoft.graph.fileAttachment',
    name: either(named('file_name', FileNameArgument), '{content.name}'),
    contentBytes: named('content', fileArgument({ what: 'The file' })),
  },
  keep: 'id name contentType size',
})

/** Outlook's tools for attachments. */
export const attachmentTools = [listAttachments, downloadAttachment, addAttachment]
