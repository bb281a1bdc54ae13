/** How much of a text is worth keeping, in characters. */
const MAX_TEXT = 8_192
const MAX_CAUSES = 5

/**
 * What the log keeps of an error: its texts and its causes. Its other fields stay out, because drivers put a query's
 * parameters and the rows they stand for there.
 */
export function describeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { message: clip(String(error)) }
  const { name, message, stack, cause } = error
  const described = { type: name, message: clip(message), code: codeOf(error), stack: clip(stack) }
  if (depth === MAX_CAUSES) return described
  return {
    ...described,
    ...(cause !== undefined && { cause: describeError(cause, depth + 1) }),
    // Each address that was tried, of a connection that failed on all of them.
    ...(error instanceof AggregateError && { errors: error.errors.slice(0, 5).map(e => describeError(e, depth + 1)) }),
  }
}

function codeOf(error: Error): string | number | undefined {
  const code = 'code' in error ? error.code : undefined
  return typeof code === 'string' || typeof code === 'number' ? code : undefined
}

function clip(text: string | undefined): string | undefined {
  return text !== undefined && text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}
