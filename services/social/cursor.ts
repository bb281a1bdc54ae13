import { hash } from 'node:crypto'
import { GatewayError } from '../../lib/errors/errors.ts'
import { isJsonObject } from '../../lib/http/json.ts'
import type { NetworkName } from '../../schemas/social.ts'

/** The version of the format. A cursor lives as long as a conversation, so that an old version is simply refused. */
const VERSION = 1

/** The maximum length of a cursor. */
export const CURSOR_LENGTH = 8_000
const POSITION_LENGTH = 1_100

/** The position of each network that has more: null at its beginning. */
export type Positions = ReadonlyMap<NetworkName, string | null>

/** Writes positions as an opaque text that only works with the same question. */
export function writeCursor(question: unknown, positions: Positions): string {
  return Buffer.from(JSON.stringify([VERSION, digestOf(question), Object.fromEntries(positions)])).toString('base64url')
}

/**
 * Reads a cursor. `valid` checks the position of a network that the question names. Throws invalid_request for a cursor
 * of another question, and for one that `writeCursor` cannot have written.
 */
export function readCursor(
  question: unknown,
  cursor: string,
  valid: (network: string, position: string) => boolean,
): Positions {
  const [version, digest, stored] = partsOf(cursor)
  const positions = isJsonObject(stored) ? Object.entries(stored) : []
  const isValid = ([network, position]: [string, unknown]) =>
    position === null
      ? valid(network, '')
      : typeof position === 'string' &&
        position !== '' &&
        position.length <= POSITION_LENGTH &&
        valid(network, position)
  if (version !== VERSION || digest !== digestOf(question) || positions.length === 0 || !positions.every(isValid))
    throw new GatewayError(
      'invalid_request',
      'cursor does not belong to these arguments. Send next_cursor of the previous page with the same arguments, or none for the first page.',
    )
  return new Map(positions as [NetworkName, string | null][])
}

function digestOf(question: unknown): string {
  return hash('sha256', JSON.stringify(question)).slice(0, 16)
}

function partsOf(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) && parts.length === 3 ? parts : []
  } catch {
    return []
  }
}
