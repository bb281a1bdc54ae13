import type { Settings } from '../lib/configuration/settings.ts'
import { createOperatorCommands } from '../services/operator/operator-commands.ts'
import type { OperatorServices } from './commands/operator-services.ts'

/** What the bootstrap created. */
interface Bootstrapped {
  orgId: string
  userId: string
  key: string
}

/** Creates an organization, its owner and an API key. Returns undefined if an organization exists. */
export async function bootstrap({ organizations, keys }: OperatorServices): Promise<Bootstrapped | undefined> {
  if (await organizations.any()) return undefined
  const by = 'operator'
  const org = await organizations.create({ name: 'Development', by })
  const owner = await organizations.createUser({ orgId: org.id, email: 'owner@localhost', role: 'owner', by })
  const { key } = await keys.create({ orgId: org.id, userId: owner.id, name: 'First key', by })
  return { orgId: org.id, userId: owner.id, key }
}

/** The message of the first start: the URL, the key (shown only once) and a client configuration to paste. */
export function bootstrapMessage(
  origin: string,
  { orgId, userId, key }: Bootstrapped,
  settings: Pick<Settings, 'commandPrefix'>,
): string {
  const configuration = {
    mcpServers: {
      'connector-gateway': { type: 'http', url: `${origin}/mcp`, headers: { Authorization: `Bearer ${key}` } },
    },
  }
  return [
    '',
    `  connector-gateway is ready: ${origin}/mcp`,
    '',
    `  API key (shown only once):  ${key}`,
    '',
    '  To create another key:',
    '',
    `    ${createOperatorCommands(settings).createKey({ orgId, userId })}`,
    '',
    '  Client configuration:',
    '',
    JSON.stringify(configuration, null, 2).replaceAll(/^/gm, '  '),
    '',
    '',
  ].join('\n')
}

/** The message on stderr if standard output, and the key with it, is lost. */
export function lostKeyMessage(first: Bootstrapped, settings: Pick<Settings, 'commandPrefix'>): string {
  return `The API key of the first start was not shown. Create another: ${createOperatorCommands(settings).createKey(first)}\n`
}
