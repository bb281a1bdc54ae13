import { GatewayError } from '../../lib/errors/errors.ts'
import type { Identity } from './identity.ts'

/** Why an identity may not act at all, although its credential is good (spec.md, Agent standing); undefined when it may. */
export function refusal(identity: Identity): GatewayError | undefined {
  const status = identity.via === 'api-key' ? identity.agent?.status : undefined
  if (status === 'suspended')
    return new GatewayError('agent_suspended', 'This agent is suspended. Its owner or an admin can resume it.')
  if (status === 'retired')
    return new GatewayError('agent_retired', 'This agent is retired and its keys are being revoked. Use another key.')
  return undefined
}
