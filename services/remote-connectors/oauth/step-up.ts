import type { Challenge } from './challenge.ts'
import { scopesIn } from './scopes.ts'

/**
 * What an authorization has to ask for after a 403: what was asked for before, and what the challenge names. Undefined
 * where another authorization would bring nothing new, so that nobody is sent round in circles.
 */
export function stepUpScopes(
  requested: readonly string[],
  challenge: Challenge | undefined,
): readonly string[] | undefined {
  // Some name scopes and no error; any other error is not about them.
  if (challenge === undefined || (challenge.error ?? 'insufficient_scope') !== 'insufficient_scope') return undefined
  const all = scopesIn([...requested, ...challenge.scopes])
  return all.length > requested.length ? all : undefined
}
