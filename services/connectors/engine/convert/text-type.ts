import { extname } from 'node:path'

/** The media types of texts by the endings of their names: their bytes do not show them. */
const BY_ENDING: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.ics': 'text/calendar',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.markdown': 'text/markdown',
  '.md': 'text/markdown',
  '.svg': 'image/svg+xml',
  '.tsv': 'text/tab-separated-values',
  '.txt': 'text/plain',
  '.vcf': 'text/vcard',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
}

/** Returns the media type of a text by the ending of its name; undefined for another ending. */
export function textTypeOf(name: string | undefined): string | undefined {
  return BY_ENDING[extname(name ?? '').toLowerCase()]
}

/** What Google converts to its documents and spreadsheets, which have no content of their own. */
const IMPORTED: Readonly<Record<string, string>> = {
  'application/vnd.google-apps.document': 'text/markdown',
  'application/vnd.google-apps.spreadsheet': 'text/csv',
}

/** Returns the media type of new text for a file of Google Drive, of JSON: its `type` and `name` until now. */
export function uploadType(file: string): string {
  const { type, name } = JSON.parse(file) as { type: string; name?: string }
  if (/^(text\/plain|application\/octet-stream)\b/.test(type) || !/^[\w.+-]+\/[\w.+-]+$/.test(type))
    return textTypeOf(name) ?? 'text/plain'
  return IMPORTED[type] ?? type
}
