import { named, oneOf, text } from '../../../../services/definitions/arguments.ts'
import { fileArgument } from '../../../../services/definitions/file-argument.ts'
import { text as asText, file } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { anyDrive, FILES, fieldMask, file_id, fileFields, readScopes, writeScopes } from '../arguments.ts'

const file_name = text('The name of the download, with its ending: report.pdf. Use the name of get_file.', 200, {
  pattern: '^[^\\\\/\\r\\n]+$',
})
const OFFICE = 'application/vnd.openxmlformats-officedocument'

const readDocument = tool(`read_document: GET ${FILES}/{file_id}/export`, {
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
  returns: asText(),
})

const readTextFile = tool(`read_text_file: GET ${FILES}/{file_id}`, {
  title: 'Read a text file',
  description:
    'Read an uploaded file that is text: Markdown, CSV, JSON, source code. For Google documents, use read_document.',
  scopes: readScopes,
  path: { file_id },
  query: { alt: 'media', ...anyDrive },
  returns: asText(),
})

const downloadFile = tool(`download_file: GET ${FILES}/{file_id}`, {
  title: 'Download a file',
  description:
    'Download an uploaded file: a PDF, an image, an archive. Returns a temporary link and an artifact ID. For Google ' +
    'documents, use export_file.',
  scopes: readScopes,
  path: { file_id, file_name },
  query: { alt: 'media', ...anyDrive },
  returns: file('{file_name}'),
})

const exportFile = tool(`export_file: GET ${FILES}/{file_id}/export`, {
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
})

const uploadContent = tool('upload_content: PATCH /upload/drive/v3/files/{file_id}', {
  title: 'Upload the content of a file',
  description:
    'Replace the content of a file, for files of at most 5 MB. For a new file, call create_file first. Drive keeps the ' +
    'content until now as a version for 30 days.',
  scopes: writeScopes,
  path: { file_id },
  query: { uploadType: 'media', ...anyDrive, fields: fieldMask(fileFields) },
  raw: fileArgument({ what: 'The new content', minLength: 1 }),
  keep: fileFields,
})

/** Google Drive's tools for what files contain. */
export const contentTools = [readDocument, readTextFile, downloadFile, exportFile, uploadContent]
