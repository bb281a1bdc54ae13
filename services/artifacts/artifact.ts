/** A stored file. */
export interface Artifact {
  id: string
  orgId: string
  name: string
  mediaType: string
  bytes: number
  createdAt: Date
  expiresAt: Date
  /** The name of its bytes in the store. */
  storedAs: string
}

/** The form of artifact IDs, and of names in a store. Nothing else is looked up. */
export const ARTIFACT_ID = /^art_[0-9a-f]{32}$/

/** The sentence about an ID that is not that of one of the caller's files: all reasons are one, so that IDs reveal nothing. */
export function noArtifact(id: string): string {
  return `You have no file ${id.slice(0, 40)}, or it has expired. Upload it again with files__upload, or create it again.`
}

const MAX_LENGTH = 120
/**
 * Control characters, path separators, characters that Windows rejects, and marks that change the writing direction
 * (`gpj.exe`).
 */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\uFEFF<>:"|?*\\/]+/gu

/**
 * Converts a provider's file name to a name that is valid on every system: the last part of a path, limited in length.
 */
export function fileName(name: string): string {
  const last =
    name
      .toWellFormed()
      .normalize('NFC')
      .split(/[\\/]/)
      .findLast(part => part.trim() !== '') ?? ''
  const safe = last
    .replace(UNSAFE, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  return shortened(safe) || 'file'
}

/** Cuts before the extension, which shows the file type, and between characters. */
function shortened(name: string): string {
  if (name.length <= MAX_LENGTH) return name
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? ''
  return `${name.slice(0, MAX_LENGTH - extension.length).replace(/[\uD800-\uDBFF]$/, '')}${extension}`
}
