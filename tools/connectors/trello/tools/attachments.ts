import { named, optional, text } from '../../../../services/definitions/arguments.ts'
import { FileNameArgument, fileArgument } from '../../../../services/definitions/file-argument.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { card } from '../arguments.ts'

const listAttachments = tool('list_attachments: GET /cards/{card}/attachments', {
  title: 'List attachments',
  description: 'List the files and links on a card: name, URL, type and size.',
  path: { card },
  query: { fields: 'name,url,mimeType,bytes,date' },
  keep: 'id name url mimeType bytes date',
})

const attachLink = tool('attach_link: POST /cards/{card}/attachments', {
  title: 'Attach link',
  description: 'Attach a link to a card.',
  path: { card },
  json: { url: text('', 2048, { min: 0, pattern: '^https?://[^\\s]+$' }), name: optional(text('', 256)) },
  keep: 'id name url',
})

const attachFile = tool('attach_file: POST /cards/{card}/attachments', {
  title: 'Attach file',
  description: 'Attach a file to a card, from an artifact or from text. Returns its ID, name, URL and size.',
  path: { card },
  multipart: {
    file: {
      $file: {
        content: fileArgument({ what: 'The file', minLength: 1 }),
        name: named('file_name', FileNameArgument),
      },
    },
  },
  keep: 'id name url mimeType bytes',
})

/** Trello tools for attachments. */
export const attachmentTools = [listAttachments, attachLink, attachFile]
