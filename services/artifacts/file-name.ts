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
