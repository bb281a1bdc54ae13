import type { TString } from '@sinclair/typebox'
import { text } from '../../../services/definitions/arguments.ts'

/** The path of files. Uploads have another beginning. */
export const FILES = '/drive/v3/files'

export const readScopes = ['https://www.googleapis.com/auth/drive.readonly']
export const writeScopes = ['https://www.googleapis.com/auth/drive']

/** Every request about a file needs it to find files of shared drives. */
export const anyDrive = { supportsAllDrives: true } as const

/** A file or a folder. */
export const file_id = fileId('The ID of the file, from search_files or list_folder.')

/** A file or a folder, with what it is for. */
export function fileId(description: string): TString {
  return text(description, 200, { pattern: '^[A-Za-z0-9_-]+$' })
}

/**
 * Writes kept fields as Google's partial responses: `id owners { emailAddress }` becomes `id,owners(emailAddress)`.
 * Without it, Drive answers only a few fields.
 */
export function fieldMask(fields: string): string {
  return fields
    .trim()
    .replace(/\s*\{\s*/g, '(')
    .replace(/\s*\}/g, ')')
    .replace(/\s+/g, ',')
}

/** The parameter `fields` of a list. */
export function listMask(items: string, fields: string): string {
  return `nextPageToken,${items}(${fieldMask(fields)})`
}
