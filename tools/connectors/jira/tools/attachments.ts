import { Type } from '@sinclair/typebox'
import { FileNameArgument, fileArgument } from '../../../../services/definitions/file-argument.ts'
import { done, file, httpTool, pick } from '../../../../services/definitions/http-tool.ts'
import { adds, overwrites, reads } from '../../annotations.ts'
import { issue, numericId } from '../arguments.ts'

const id = numericId('The ID of the attachment, from get_issue.')
const fileName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\\\/\\r\\n]+$',
  description: 'The name of the file: report.csv.',
})

const downloadAttachment = httpTool({
  operation: 'download_attachment',
  title: 'Download an attachment',
  description: 'Download an attachment of an issue. Returns a temporary link.',
  annotations: reads,
  scopes: ['read:jira-work'],
  input: { attachment_id: id, file_name: Type.Optional(fileName) },
  request: { method: 'GET', path: '/rest/api/3/attachment/content/{attachment_id}' },
  result: file('{file_name}'),
})

const addAttachment = httpTool({
  operation: 'add_attachment',
  title: 'Attach a file',
  description: 'Attach a new file to an issue, from an artifact or from text. Returns its ID, name and size.',
  annotations: adds,
  scopes: ['write:jira-work'],
  input: {
    issue,
    content: fileArgument({ what: 'The file', minLength: 1 }),
    file_name: FileNameArgument,
  },
  request: {
    method: 'POST',
    path: '/rest/api/3/issue/{issue}/attachments',
    // Jira rejects an upload without this header.
    headers: { 'x-atlassian-token': 'no-check' },
    body: { multipart: { file: { $file: { content: '{content}', name: '{file_name}' } } } },
  },
  result: pick('', ['id', 'filename', 'size', 'mimeType', 'created']),
})

const deleteAttachment = httpTool({
  operation: 'delete_attachment',
  title: 'Delete an attachment',
  description: 'Delete an attachment from its issue. It cannot be restored.',
  annotations: overwrites,
  scopes: ['write:jira-work'],
  input: { attachment_id: id },
  request: { method: 'DELETE', path: '/rest/api/3/attachment/{attachment_id}' },
  result: done('The attachment {attachment_id} was deleted.'),
})

/** Jira tools for attachments. */
export const attachmentTools = [downloadAttachment, addAttachment, deleteAttachment]
