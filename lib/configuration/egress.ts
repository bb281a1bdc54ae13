import type { Config } from '../../schemas/config.ts'
import { type AllowList, parseAllowList } from '../egress/allow-list.ts'
import { ConfigurationError, mustBe } from './configuration-error.ts'
import { splitList } from './lists.ts'

/** What outbound traffic may reach beside the public internet. */
export interface EgressSettings {
  readonly allow: AllowList
  /** Whether this machine itself may be reached; never in production. */
  readonly loopback: boolean
}

/** EGRESS_ALLOW and EGRESS_ALLOW_LOOPBACK; throws a ConfigurationError, for loopback in production too. */
export function parseEgress(config: Config): EgressSettings {
  if (config.EGRESS_ALLOW_LOOPBACK && config.GATEWAY_ENV === 'production')
    throw new ConfigurationError('EGRESS_ALLOW_LOOPBACK', 'must not be true in production')
  return { allow: allowListOf(config.EGRESS_ALLOW), loopback: config.EGRESS_ALLOW_LOOPBACK }
}

function allowListOf(list: string | undefined): AllowList {
  if (list === undefined) return parseAllowList([])
  const entries = splitList(list)
  if (entries.length === 0) throw mustBe('EGRESS_ALLOW')
  try {
    return parseAllowList(entries)
  } catch {
    // The cause is left out: it quotes what was refused.
    throw mustBe('EGRESS_ALLOW')
  }
}
