import type { TString } from '@sinclair/typebox'
import { converted, either, flag, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { fileArgument } from '../../../../services/definitions/file-argument.ts'
import { file, text as plainText } from '../../../../services/definitions/http-tool.ts'
import { sets, tool } from '../../../../services/definitions/tool.ts'
import { googlePages } from '../../google.ts'
import { pageSize, pageStart } from '../../shared-arguments.ts'
import { anyDrive, FILES, fieldMask, file_id, fileId, listMask, readScopes, writeScopes } from '../arguments.ts'

/** The fields of a file that results keep. */
const fileFields = `id name mimeType description size createdTime modifiedTime parents driveId webViewLink starred
  trashed shared owners { displayName emailAddress } lastModifyingUser { displayName }`

/** A media type, with what it is for. */
function mediaType(description: string): TString {
  return text(description, 150, { pattern: '^[a-z]+/[A-Za-z0-9.+-]+$' })
}

const fileQuery = { ...anyDrive, fields: fieldMask(fileFields) }
const listQuery = {
  ...anyDrive,
  includeItemsFromAllDrives: true,
  fields: listMask('files', fileFields),
  pageSize: pageSize(25, 1000),
  pageToken: pageStart,
}
const name = text('The name. A folder may contain several files of the same name.', 255)
const description = optional(text('The description of the file; empty removes it.', 5000, { min: 0 }))
const parents = [
  named(
    'folder_id',
    optional(
      fileId('The ID of the folder, from search_files, list_folder or create_folder. Default: the root folder.'),
    ),
  ),
]

const file_name = text('The name of the download, with its ending: report.pdf. Use the name of get_file.', 200, {
  pattern: '^[^\\\\/\\r\\n]+$',
})
const OFFICE = 'application/vnd.openxmlformats-officedocument'

/** Google Drive's tools for files and folders, and for what files contain. */
export const fileTools = [
  tool(`search_files: GET ${FILES}`, {
    title: 'Search files',
    description:
      'Search files and folders in all of Drive with its query language. Returns IDs, names, types (mimeType), ' +
      'folders (parents) and links. To see what a folder contains, use list_folder.',
    scopes: readScopes,
    query: {
      q: named(
        'query',
        text(
          "Terms with and, or, not: fullText contains 'offsite budget'; name contains 'plan'; mimeType = " +
            "'application/vnd.google-apps.folder' (document, spreadsheet, presentation); modifiedTime > " +
            "'2026-03-31T00:00:00'; 'ada@example.com' in owners; sharedWithMe; starred; trashed = false. Write \\' " +
            'for a quote.',
          2000,
        ),
      ),
      corpora: named(
        'where',
        optional(
          oneOf(
            ['user', 'domain', 'allDrives'],
            'user: files that you opened or own (default); allDrives: shared drives too.',
          ),
        ),
      ),
      orderBy: optional(
        text('modifiedTime desc; name; folder,name. Leave it out with fullText, which sorts by relevance.', 100, {
          pattern: '^[A-Za-z_]+( desc)?(,[A-Za-z_]+( desc)?)*$',
        }),
      ),
      ...listQuery,
    },
    pagination: googlePages('/files'),
    keep: fileFields,
  }),

  tool(`list_folder: GET ${FILES}`, {
    title: 'List a folder',
    description:
      'List the files and folders in a folder, folders first: IDs, names, types (mimeType), sizes and links.',
    scopes: readScopes,
    path: {
      folder_id: {
        ...optional(
          fileId(
            'The ID of the folder, from search_files or list_folder; or of a shared drive, from list_shared_drives. Default: root, your own Drive.',
          ),
        ),
        default: 'root',
      },
    },
    query: { q: "'{folder_id}' in parents and trashed = false", orderBy: 'folder,name_natural', ...listQuery },
    pagination: googlePages('/files'),
    keep: fileFields,
  }),

  tool(`get_file: GET ${FILES}/{file_id}`, {
    title: 'Get a file',
    description:
      'Read what Drive knows about a file or folder: name, type, folder (parents), owners, size, times and link.',
    scopes: readScopes,
    path: { file_id },
    query: fileQuery,
    keep: fileFields,
  }),

  tool(`create_folder: POST ${FILES}`, {
    title: 'Create a folder',
    description: 'Create a folder. Returns its ID.',
    scopes: writeScopes,
    query: fileQuery,
    json: { name, mimeType: 'application/vnd.google-apps.folder', parents, description },
    keep: fileFields,
  }),

  tool(`create_file: POST ${FILES}`, {
    title: 'Create a file',
    description: 'Create an empty file or Google document. Fill a file with upload_content afterwards. Returns its ID.',
    scopes: writeScopes,
    query: fileQuery,
    json: {
      name,
      mimeType: named(
        'type',
        mediaType(
          'The media type: text/csv, application/pdf; application/vnd.google-apps.document, .spreadsheet or .presentation for Google documents.',
        ),
      ),
      parents,
      description,
    },
    keep: fileFields,
  }),

  tool(`update_file: PATCH ${FILES}/{file_id}`, {
    title: 'Update a file',
    description: 'Rename a file or folder, describe it, or star it. Omitted fields stay unchanged.',
    scopes: writeScopes,
    path: { file_id },
    query: fileQuery,
    json: { name: optional(name), description, starred: optional(flag('Whether the file is starred.')) },
    keep: fileFields,
  }),

  tool(`move_file: PATCH ${FILES}/{file_id}`, {
    title: 'Move a file',
    description: 'Move a file or folder to another folder.',
    annotations: sets,
    scopes: writeScopes,
    path: { file_id },
    query: {
      addParents: named('to_folder_id', fileId('The ID of the new folder, from search_files or list_folder.')),
      removeParents: named('from_folder_id', fileId('The ID of its current folder: parents of get_file.')),
      ...fileQuery,
    },
    keep: fileFields,
  }),

  tool(`copy_file: POST ${FILES}/{file_id}/copy`, {
    title: 'Copy a file',
    description: 'Copy a file, for example a template. Folders cannot be copied. Returns the ID of the copy.',
    scopes: writeScopes,
    path: { file_id },
    query: fileQuery,
    json: { name: optional(name), parents },
    keep: fileFields,
  }),

  tool(`trash_file: PATCH ${FILES}/{file_id}`, {
    title: 'Move a file to the trash',
    description:
      'Move a file, or a folder with everything in it, to the trash. Drive deletes it after 30 days; restore_file undoes it.',
    scopes: writeScopes,
    path: { file_id },
    query: fileQuery,
    json: { trashed: true },
    keep: 'id name trashed',
  }),

  tool(`restore_file: PATCH ${FILES}/{file_id}`, {
    title: 'Restore a file from the trash',
    description: 'Take a file or folder out of the trash. Find it with search_files and trashed = true.',
    annotations: sets,
    scopes: writeScopes,
    path: { file_id },
    query: fileQuery,
    json: { trashed: false },
    keep: 'id name trashed webViewLink',
  }),

  tool('list_shared_drives: GET /drive/v3/drives', {
    title: 'List shared drives',
    description: 'List the shared drives of your organization that you can open. Pass an ID to list_folder.',
    scopes: readScopes,
    query: { pageSize: pageSize(50, 100), pageToken: pageStart },
    pagination: googlePages('/drives'),
    keep: 'id name createdTime hidden',
  }),

  tool(`read_document: GET ${FILES}/{file_id}/export`, {
    title: 'Read a Google document',
    description:
      'Read the text of a Google document, spreadsheet (its first sheet) or presentation. For other files, use ' +
      'read_text_file or download_file.',
    scopes: readScopes,
    path: { file_id },
    query: {
      mimeType: named(
        'format',
        oneOf(
          ['text/markdown', 'text/csv', 'text/plain'],
          'text/markdown for documents, text/csv for spreadsheets, text/plain for presentations.',
        ),
      ),
    },
    returns: plainText(),
  }),

  tool(`read_text_file: GET ${FILES}/{file_id}`, {
    title: 'Read a text file',
    description:
      'Read an uploaded file that is text (Markdown, CSV, JSON, source code), or the text of a PDF. For Google ' +
      'documents, use read_document.',
    scopes: readScopes,
    path: { file_id },
    query: { alt: 'media', ...anyDrive },
    returns: plainText(),
  }),

  tool(`download_file: GET ${FILES}/{file_id}`, {
    title: 'Download a file',
    description:
      'Download an uploaded file: a PDF, an image, an archive. Returns a temporary link and an artifact ID. For ' +
      'Google documents, use export_file.',
    scopes: readScopes,
    path: { file_id, file_name },
    query: { alt: 'media', ...anyDrive },
    returns: file('{file_name}'),
  }),

  tool(`export_file: GET ${FILES}/{file_id}/export`, {
    title: 'Export a Google document',
    description:
      'Export a Google document, spreadsheet or presentation as a PDF or Office file of at most 10 MB. Returns a ' +
      'temporary link and an artifact ID.',
    scopes: readScopes,
    path: { file_id, file_name },
    query: {
      mimeType: named(
        'format',
        oneOf(
          [
            'application/pdf',
            `${OFFICE}.wordprocessingml.document`,
            `${OFFICE}.spreadsheetml.sheet`,
            `${OFFICE}.presentationml.presentation`,
            'application/epub+zip',
            'application/zip',
          ],
          'PDF for all; Word and EPUB for documents, Excel for spreadsheets, PowerPoint for presentations; zip is HTML with images.',
        ),
      ),
    },
    returns: file('{file_name}'),
  }),

  tool('upload_content: PATCH /upload/drive/v3/files/{file_id}', {
    title: 'Upload the content of a file',
    description:
      'Replace the content of a file, for files of at most 5 MB. For a new file, call create_file first. Drive keeps ' +
      'the old content as a version for 30 days. Send Markdown for Google documents, CSV for Google spreadsheets.',
    scopes: writeScopes,
    path: { file_id },
    steps: [
      {
        step: `info: GET ${FILES}/{file_id}`,
        query: { ...anyDrive, fields: 'name,mimeType' },
        keep: { name: '/name', type: '/mimeType' },
      },
    ],
    query: { uploadType: 'media', ...anyDrive, fields: fieldMask(fileFields) },
    raw: {
      $file: {
        content: fileArgument({ what: 'The new content', minLength: 1 }),
        type: either(
          named(
            'media_type',
            optional(mediaType('The media type of the content: text/markdown. Default: that of the file.')),
          ),
          '{content.type}',
          converted('upload-type', { type: '{info.type}', name: '{info.name}' }),
        ),
      },
    },
    keep: fileFields,
  }),
]
