import type { IssuerSettings, TokenSettings } from '../../lib/configuration/issuers.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import { createIssuerKeys } from './issuer-keys.ts'
import type { TokenPolicy } from './jwt.ts'
import { fetchKeySet } from './key-set.ts'

export interface TokenPoliciesOptions {
  clock: Clock
  log: Logger
  /** What a token of the MCP issuer may be for. */
  mcpResources(): readonly string[]
}

/** The policies of the configured issuers: one for sessions, one for the OAuth tokens of MCP clients (decisions.md, JWTs). */
export function createTokenPolicies(
  { session, mcp, algorithms, maxLifetimeSeconds }: TokenSettings,
  { clock, log, mcpResources }: TokenPoliciesOptions,
): TokenPolicy[] {
  const of = (settings: IssuerSettings) => ({
    issuer: settings.issuer,
    algorithms,
    maxLifetimeSeconds,
    findKey: createIssuerKeys({ issuer: settings.issuer, fetchSet: () => fetchKeySet(settings), clock, log }),
  })
  return [
    ...(session === undefined
      ? []
      : [{ ...of(session), via: 'session' as const, audiences: () => [session.audience] }]),
    ...(mcp === undefined ? [] : [{ ...of(mcp), via: 'mcp-oauth' as const, audiences: mcpResources }]),
  ]
}
