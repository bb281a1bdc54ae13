import { converted, either, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { FileNameArgument, fileArgument } from '../../../../services/definitions/file-argument.ts'
import { file } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { pageSize, pageStart } from '../../paging.ts'
import { channel, comment, moment, person, thread } from '../arguments.ts'

const listFiles = tool('list_files: GET /files.list', {
  title: 'List files',
  description: 'List shared files, newest first: ID, name, type, size, who shared it, where, and a link.',
  scopes: ['files:read'],
  query: {
    channel: optional(channel),
    user: optional(person('Only files of the person with this ID.')),
    ts_from: optional(moment('Only files created after this time.')),
    ts_to: optional(moment('Only files created before this time.')),
    types: optional(oneOf(['all', 'spaces', 'snippets', 'images', 'gdocs', 'zips', 'pdfs'], 'Default: all.')),
    count: pageSize(20, 100),
    page: pageStart,
  },
  pagination: { style: 'page', items: '/files' },
  keep: 'id name title mimetype size user created channels permalink',
})

const downloadFile = tool('download_file: GET files{info.url}', {
  title: 'Download a file',
  description: 'Read the content of a file that is stored in Slack. Returns an artifact ID and a URL.',
  scopes: ['files:read'],
  steps: [
    {
      step: 'info: GET /files.info',
      query: {
        file: text('The ID of the file, from list_files or a message: F0123456789.', 32, { pattern: '^F[A-Z0-9]+$' }),
      },
      keep: { url: '/file/url_private_download', name: '/file/name' },
    },
  ],
  returns: file('{info.name}'),
})

const uploadFile = tool('upload_file: POST /files.completeUploadExternal', {
  title: 'Upload a file',
  description:
    'Upload a file and share it in a channel or direct message that the app is in, or in a thread. Returns the ID of the file.',
  scopes: ['files:write'],
  steps: [
    {
      step: 'reserve: POST /files.getUploadURLExternal',
      form: { length: '{content.bytes}', filename: either(named('file_name', FileNameArgument), '{content.name}') },
      keep: { url: '/upload_url', file: '/file_id' },
      writes: false,
    },
    {
      step: 'send: POST uploads{reserve.url}',
      raw: named('content', fileArgument({ what: 'The file', minLength: 1 })),
      // Nobody sees a file before its upload is completed.
      writes: false,
    },
  ],
  json: {
    files: [{ id: '{reserve.file}', title: optional(text('The title of the file. Default: its name.', 250)) }],
    channel_id: named('channel', channel),
    thread_ts: optional(thread),
    initial_comment: converted('markdown-to-mrkdwn', named('comment', optional(comment))),
  },
  at: '/files',
  keep: 'id title',
})

/** Slack tools for files. */
export const fileTools = [listFiles, downloadFile, uploadFile]
