import { EgressError } from '../../../lib/egress/egress.ts'
import { errorRow, GatewayError } from '../../../lib/errors/errors.ts'
import { TokenEndpointError } from '../../credentials/token-endpoint.ts'
import type { ConnectorDefinition } from '../../definitions/define-connector.ts'

/** Runs what asks a provider while an account is connected; what it fails with throws connect_failed with a sentence for the person. */
export async function connectFailed<T>(
  connector: Pick<ConnectorDefinition, 'name'>,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw failureOf(connector, error)
  }
}

/** The refusal of a person who said no at the provider. */
export function accessDeclined(name: string, cause?: unknown): GatewayError {
  return new GatewayError('connect_failed', `The access was declined at ${name}. Begin again to agree to it.`, {
    cause,
  })
}

function failureOf(connector: Pick<ConnectorDefinition, 'name'>, error: unknown): unknown {
  const { name } = connector
  const failed = (message: string) => new GatewayError('connect_failed', message, { cause: error })
  if (error instanceof TokenEndpointError) {
    if (error.code === 'access_denied') return accessDeclined(name, error)
    if (error.kind === 'unreachable') {
      if (error.cause instanceof EgressError) return failureOf(connector, error.cause)
      return failed(`${name} cannot be reached now: ${error.message}. Try again later.`)
    }
    return failed(`${name} was not connected: ${error.message}. Begin again; if it happens again, check the OAuth app.`)
  }
  if (error instanceof EgressError) {
    if (error.reason === 'refused') return failed(`${name} was not asked: ${error.message}`)
    return failed(`${name} cannot be reached now: ${error.message} Try again later.`)
  }
  // What is made for a tool's result alone has no status of its own.
  if (error instanceof GatewayError && errorRow(error.code).envelope === 'tool') return failed(error.message)
  return error
}
