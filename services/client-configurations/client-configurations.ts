import { isLoopback } from '../../lib/configuration/network.ts'
import { agentClients } from './agents.ts'
import { appClients } from './apps.ts'
import type { ClientConfiguration, Target } from './client-configuration.ts'
import { commandClients } from './command-clients.ts'
import { editorClients } from './editors.ts'
import { identifierOf } from './encodings.ts'
import { sdkClients } from './sdks.ts'

interface ClientConfigurationOptions {
  /** The public origin of the gateway. Throws a TypeError if it is not an http or https URL. */
  origin: string
  /** The name that clients show for the gateway. */
  name?: string
  /** The environment variable in which a user keeps their key: letters, digits and `_`. */
  variable?: string
  /** A key to write out instead of the variable, only for the screen of its owner. Never part of a deeplink. */
  secret?: string
}

/** Generates the configurations of all clients for one gateway, in the order in which people use them. */
export function clientConfigurations({
  origin,
  name = 'connector-gateway',
  variable = 'CGW_KEY',
  secret,
}: ClientConfigurationOptions): ClientConfiguration[] {
  const { protocol, hostname, origin: base } = new URL(origin)
  if (!['http:', 'https:'].includes(protocol)) throw new TypeError('An origin begins with http:// or https://.')
  if (!/^[A-Za-z_]\w*$/.test(variable)) throw new TypeError('Use letters, digits and _ in the name of a variable.')
  const target: Target = {
    url: `${base}/mcp`,
    name: name.toWellFormed(),
    identifier: identifierOf(name),
    variable,
    secret,
    reachableFromOutside: protocol === 'https:' && !isLoopback(hostname),
  }
  return [
    ...agentClients(target),
    ...editorClients(target),
    ...appClients(target),
    ...sdkClients(target),
    ...commandClients(target),
  ]
}
