import { each, list, named, optional, text } from '../../../../services/definitions/arguments.ts'
import { FileNameArgument, fileArgument } from '../../../../services/definitions/file-argument.ts'
import { done, file } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { sets } from '../../annotations.ts'
import { cursor } from '../../paging.ts'
import { listPages, listQuery, page_id, V1, V2 } from '../arguments.ts'

const attachment_id = text('The ID of the attachment, such as att123456, from list_attachments.', 24, {
  pattern: '^(att)?[0-9]{1,18}$',
})
const label = text('', 255, { pattern: '^[^\\s:,]+$' })

const listAttachments = tool(`list_attachments: GET ${V2}/pages/{page_id}/attachments`, {
  title: 'List attachments',
  description: 'List the files of a page: ID, name, type and size. Download one with download_attachment.',
  scopes: ['read:attachment:confluence'],
  path: { page_id, cursor },
  query: { filename: named('file_name', optional(text('Only the file with this name.', 255))), ...listQuery },
  pagination: listPages,
  keep: 'id title status mediaType fileSize comment createdAt version { number createdAt authorId }',
})

const downloadAttachment = tool(
  `download_attachment: GET ${V1}/content/{page_id}/child/attachment/{attachment_id}/download`,
  {
    title: 'Download an attachment',
    description: 'Download a file of a page. Returns a temporary link.',
    scopes: ['read:attachment:confluence'],
    path: { page_id, attachment_id, file_name: FileNameArgument },
    returns: file('{file_name}'),
  },
)

const addAttachment = tool(`add_attachment: POST ${V1}/content/{page_id}/child/attachment`, {
  title: 'Attach a file',
  description: 'Attach a new file to a page, from an artifact or from text. Returns its ID, name and size.',
  scopes: ['write:attachment:confluence', 'read:content-details:confluence'],
  path: { page_id },
  // Confluence rejects an upload without this header.
  headers: { 'x-atlassian-token': 'nocheck' },
  multipart: {
    file: {
      $file: { content: fileArgument({ what: 'The file', minLength: 1 }), name: named('file_name', FileNameArgument) },
    },
    comment: optional(text('A comment on the file.', 255)),
  },
  at: '/results',
  keep: 'id title extensions { mediaType fileSize comment }',
})

const listLabels = tool(`list_labels: GET ${V2}/pages/{page_id}/labels`, {
  title: 'List labels',
  description: 'List the labels of a page. Find pages with a label by search_cql: label = "runbook".',
  scopes: ['read:page:confluence'],
  path: { page_id, cursor },
  query: listQuery,
  pagination: listPages,
  keep: 'id name prefix',
})

const addLabels = tool(`add_labels: POST ${V1}/content/{page_id}/label`, {
  title: 'Label a page',
  description: 'Add labels to a page or blog post. Those that it has stay. Returns all of them.',
  annotations: sets,
  scopes: ['write:label:confluence', 'read:label:confluence'],
  path: { page_id },
  json: each(named('labels', list(label, 'Labels, without spaces: runbook.', 20)), {
    prefix: 'global',
    name: '{item}',
  }),
  at: '/results',
  keep: 'id name prefix',
})

const removeLabel = tool(`remove_label: DELETE ${V1}/content/{page_id}/label`, {
  title: 'Remove a label',
  description: 'Remove a label from a page.',
  scopes: ['write:label:confluence'],
  path: { page_id },
  query: { name: named('label', { ...label, description: 'The name of the label, from list_labels.' }) },
  returns: done('The label {label} was removed.'),
})

/** Confluence tools for attachments and labels. */
export const attachmentTools = [listAttachments, downloadAttachment, addAttachment, listLabels, addLabels, removeLabel]
