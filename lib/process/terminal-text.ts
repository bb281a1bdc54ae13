/**
 * A text of other people's as a terminal shows it: an escape code in it moves no cursor, nothing in it is invisible or
 * turns the direction of writing, and a line break makes no line but where lines are wanted.
 */
export function terminalText(text: string, { lines = false }: { lines?: boolean } = {}): string {
  return text.replaceAll(lines ? UNSAFE_IN_LINES : UNSAFE, '?').toWellFormed()
}

const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
/** All of them but tabs and line breaks. */
const UNSAFE_IN_LINES = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
