/** How deep the JSON of a message may nest, and how many members and items it may have in all (decisions.md, sizes). */
const MAX_LEVELS = 64
const MAX_ELEMENTS = 10_000

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Whether JSON text nests and holds no more than a message may. It is asked before the text is parsed: 4 MiB of
 * brackets hold up JSON.parse for a second, and a walk over what comes of it again. Of text that is no JSON the answer
 * means nothing.
 */
export function isWithinBounds(text: string): boolean {
  let levels = 0
  let elements = 0
  let opened = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code <= 0x20) continue
    if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
      opened = false
      levels--
      continue
    }
    // A container's first element follows its bracket; every other follows a comma.
    if (opened || code === COMMA) {
      opened = false
      if (++elements > MAX_ELEMENTS) return false
    }
    if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      opened = true
      if (++levels > MAX_LEVELS) return false
    } else if (code === QUOTE) i = endOfString(text, i)
  }
  return true
}

/** The index of the quote that ends a string, or of the text's end. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++
  return backslashes % 2 === 1
}
