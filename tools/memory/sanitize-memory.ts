import { GatewayError } from '../../lib/errors/errors.ts'

/**
 * A memory as it is stored: without U+0000, which PostgreSQL cannot hold, half surrogates replaced by U+FFFD as every
 * UTF-8 encoder does, trimmed. Throws invalid_request when nothing is left.
 */
export function cleanMemory(text: string): string {
  const memory = cleanQuery(text)
  if (memory === '') throw new GatewayError('invalid_request', 'The memory is empty. Send the text to remember.')
  return memory
}

/** The same for what is looked for; empty when nothing is left. */
export function cleanQuery(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed().trim()
}
