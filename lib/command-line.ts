/** Returns the line that runs a command of the operator, given its words. It can be pasted into a POSIX shell. */
export type CommandLine = (...words: readonly string[]) => string

/** Creates command lines with what starts the command in this deployment, such as `npm run -s cli --`. */
export function createCommandLine(prefix: string): CommandLine {
  return (...words) => [prefix, ...words.map(quoteForShell)].join(' ')
}

/**
 * The assignment of a variable from the shell's own, without its value. If it is unset there, `:?` stops the command
 * before it runs with a default.
 */
export function fromShell(variable: string): string {
  return `${variable}="\${${variable}:?}"`
}

/** Quotes a word so that a POSIX shell passes it on unchanged. */
export function quoteForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
