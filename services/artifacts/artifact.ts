/** A file that was stored. */
export interface Artifact {
  id: string
  orgId: string
  name: string
  mediaType: string
  bytes: number
  expiresAt: Date
}

/** What an artifact's file and its URL are named by; nothing else is ever looked for on the disk. */
export const ARTIFACT_ID = /^art_[0-9a-f]{32}$/

/** What the name of a file ends with until all of it is there. */
export const DRAFT = '.part'

const MAX_LENGTH = 120
/** Controls, separators of paths, what Windows refuses, and marks that turn the direction of writing (`gpj.exe`). */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\uFEFF<>:"|?*\\/]+/gu

/** A name that is one on every system, of whatever a provider calls a file: the last part of a path, short enough. */
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

/** Cut before the extension, which says what a file is, and between characters. */
function shortened(name: string): string {
  if (name.length <= MAX_LENGTH) return name
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? ''
  return `${name.slice(0, MAX_LENGTH - extension.length).replace(/[\uD800-\uDBFF]$/, '')}${extension}`
}
