import { named, text } from '../../../../services/definitions/arguments.ts'
import { FileNameArgument, fileArgument } from '../../../../services/definitions/file-argument.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { asked, gid, listOf, listPages, scopes } from '../arguments.ts'

const listFields = 'gid name resource_subtype host size created_at'
const wholeFields = `${listFields} permanent_url view_url download_url parent { gid name }`
const parent = gid('The gid of the task or the project, from search_objects.')

const listAttachments = tool('list_attachments: GET /attachments', {
  title: 'List attachments',
  description: 'List the files and links of a task or a project. Their URLs: get_attachment.',
  scopes,
  query: { parent, ...listOf(listFields) },
  pagination: listPages,
  keep: listFields,
})

const getAttachment = tool('get_attachment: GET /attachments/{attachment}', {
  title: 'Get an attachment',
  description:
    'Read one attachment with its URLs. download_url needs no login and is valid for a short time; permanent_url needs a login.',
  scopes,
  path: { attachment: gid('The gid of the attachment, from list_attachments.') },
  query: { opt_fields: asked(wholeFields) },
  at: '/data',
  keep: wholeFields,
})

const uploadAttachment = tool('upload_attachment: POST /attachments', {
  title: 'Attach a file',
  description: 'Attach a file of at most 100 MB to a task or a project.',
  scopes,
  query: { opt_fields: asked(listFields) },
  multipart: {
    parent,
    file: {
      $file: { content: fileArgument({ what: 'The file', minLength: 1 }), name: named('file_name', FileNameArgument) },
    },
  },
  at: '/data',
  keep: listFields,
})

const attachLink = tool('attach_link: POST /attachments', {
  title: 'Attach a link',
  description: 'Attach a link to a task or a project.',
  scopes,
  query: { opt_fields: asked(listFields) },
  multipart: {
    resource_subtype: 'external',
    parent,
    url: text('The URL.', 2048, { pattern: '^https?://[^\\s]+$' }),
    name: text('What the link is called.', 1024),
  },
  at: '/data',
  keep: listFields,
})

/** Asana's tools for attachments. */
export const attachmentTools = [listAttachments, getAttachment, uploadAttachment, attachLink]
