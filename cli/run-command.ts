import { GatewayError, UsageError } from '../lib/errors/errors.ts'
import { similarNames } from '../lib/similar-names.ts'
import { type OperatorCommands, operatorWording } from '../services/operator/operator-commands.ts'
import { UnknownOrganization } from '../services/organizations/requirements.ts'
import type { Settings } from '../services/settings/settings.ts'
import type { Terminal } from './browser-authorization.ts'
import { ACCOUNT_COMMANDS } from './commands/accounts.ts'
import { AGENT_COMMANDS, KEY_COMMANDS } from './commands/agents-and-keys.ts'
import { type Command, command } from './commands/command.ts'
import {
  CONNECTOR_COMMANDS,
  OAUTH_CLIENT_COMMANDS,
  REMOTE_COMMANDS,
  REMOTE_CONNECT_COMMANDS,
} from './commands/connectors.ts'
import { MOVE, type Mover, VAULT_COMMANDS } from './commands/maintenance.ts'
import { BILLING_COMMANDS, PAYMENT_COMMANDS, USAGE_COMMANDS, WALLET_COMMANDS } from './commands/money.ts'
import type { OperatorServices } from './commands/operator-services.ts'
import { CAPABILITY_COMMANDS, MEMBER_COMMANDS, ORGANIZATION_COMMANDS } from './commands/organizations.ts'
import { POLICY_COMMANDS } from './commands/policies.ts'
import { CHECK_CONFIGURATION, CONNECT_ACCOUNT, CONNECT_REMOTE } from './terminal-commands.ts'

/** All commands that run where the database is, on the same services as the routes. */
export const COMMANDS: readonly Command<OperatorServices>[] = [
  command('migrate', {
    about: 'migrate the database to this version',
    options: {},
    async run({ database }: OperatorServices) {
      await database.migrate()
      return { migrated: true }
    },
  }),
  ...ORGANIZATION_COMMANDS,
  ...MEMBER_COMMANDS,
  ...KEY_COMMANDS,
  ...AGENT_COMMANDS,
  ...POLICY_COMMANDS,
  ...CAPABILITY_COMMANDS,
  ...CONNECTOR_COMMANDS,
  ...ACCOUNT_COMMANDS,
  ...OAUTH_CLIENT_COMMANDS,
  ...REMOTE_COMMANDS,
  ...REMOTE_CONNECT_COMMANDS,
  ...USAGE_COMMANDS,
  ...VAULT_COMMANDS,
  ...WALLET_COMMANDS,
  ...BILLING_COMMANDS,
  ...PAYMENT_COMMANDS,
]

/** Commands that run in the operator's process and send others to where the database is. */
const TERMINAL_COMMANDS: readonly Command<Terminal>[] = [CHECK_CONFIGURATION, CONNECT_ACCOUNT, CONNECT_REMOTE]

/** The commands that an operator sees. */
const SHOWN = [...TERMINAL_COMMANDS, ...COMMANDS, MOVE].filter(({ internal }) => !internal)

/** Whether the arguments name the command that moves the embedded database. */
export function isMove(args: readonly string[]): boolean {
  return named([MOVE], args) !== undefined
}

/** Whether the arguments name the command that checks the variables of a gateway. */
export function isCheck(args: readonly string[]): boolean {
  return named([CHECK_CONFIGURATION], args) !== undefined
}

/** Moves the embedded database. */
export function runMove(mover: Mover, args: readonly string[]): Promise<object> {
  return MOVE.run(mover, operands(MOVE, args))
}

/** Runs the command that the arguments name. Throws UsageError if there is none. */
export function runCommand(services: OperatorServices, args: readonly string[]): Promise<object> {
  const command = named(COMMANDS, args)
  if (command === undefined) throw new UsageError(unknownCommand(args))
  return command.run(services, operands(command, args), (user, orgId) => services.userLookup.idOf(user, orgId))
}

/**
 * Runs a command and words its answer or its error for the operator. The services word their texts for callers, who must
 * not learn where the gateway keeps its data.
 */
export async function runForOperator(
  services: OperatorServices & { settings: Pick<Settings, 'commandPrefix' | 'callerCommandPrefix'> },
  args: readonly string[],
): Promise<object> {
  const worded = operatorWording(services.settings)
  try {
    const answer = JSON.stringify(await runCommand(services, args))
    return JSON.parse(answer, (_name, value) => (typeof value === 'string' ? worded(value) : value))
  } catch (error) {
    if (!(error instanceof GatewayError || error instanceof UsageError)) throw error
    // Another error, because a caller may get this one.
    throw new UsageError(worded(error.message + adviceFor(error, services.commands)), { cause: error })
  }
}

/** What an operator can do about an error that members get too. */
function adviceFor(error: Error, commands: OperatorCommands): string {
  return error instanceof UnknownOrganization ? ` To list all, run: ${commands.listOrganizations()}` : ''
}

/** Names only related commands: the list of all would push the error off the screen. */
function unknownCommand([group = '', ...words]: readonly string[]): string {
  const names = SHOWN.map(({ name }) => name)
  const groups = new Set(SHOWN.map(groupOf))
  const meant = groups.has(group) ? group : similarNames(group, groups)[0]
  if (meant !== undefined) return `Unknown command. Use one of these.\n\n${help(meant)}`
  const similar = similarNames([group, ...words.slice(0, 1)].join(' '), names, 3)
  const hint = similar.length === 0 ? '' : ` Similar: ${similar.map(name => `\`${name}\``).join(', ')}.`
  return `Unknown command.${hint} \`help\` lists all commands.`
}

/**
 * Runs a command in this process or where the database is. Throws UsageError for an unknown command before a database is
 * opened, because opening one can create it.
 */
export function runInTerminal(terminal: Terminal, args: readonly string[]): Promise<object> {
  const command = named(TERMINAL_COMMANDS, args)
  if (command !== undefined) return command.run(terminal, operands(command, args))
  if (named(COMMANDS, args) === undefined) throw new UsageError(unknownCommand(args))
  return terminal.execute(args)
}

/** The exit code for an answer: 1 if the answer has `ok: false`. */
export function exitCodeOf(answer: object): 0 | 1 {
  return 'ok' in answer && answer.ok === false ? 1 : 0
}

/** The options with secret values of the command that the arguments name. */
export function secretOptions(args: readonly string[]): readonly string[] {
  return (named(TERMINAL_COMMANDS, args) ?? named(COMMANDS, args))?.secrets ?? []
}

/** How to do what no command does. */
const REGISTERING =
  'No command registers an MCP server, because a server is registered by an owner or admin of the organization: on the page Connectors of the dashboard, with POST /connectors/org, or with the tool manage__remote_add.'

/** The help: all commands, or those of a group such as `account`. */
export function help(group?: string): string {
  const groups = Map.groupBy(SHOWN, groupOf)
  const names = new Set([...COMMANDS, ...TERMINAL_COMMANDS].map(groupOf))
  const asked = groups.get(group ?? '') ?? [...names].flatMap(name => groups.get(name) ?? [])
  const usages = asked.map(({ usage }) => `  ${usage}`)
  const elsewhere = asked.some(command => groupOf(command) === 'remote') ? `\n\n${REGISTERING}` : ''
  return `Commands:\n${usages.join('\n')}${elsewhere}\n\nFor a value of -, the command prompts in a terminal, or reads one line of standard input. Add --json at the end to get the answer as one JSON object on stdout.`
}

/** The first word of a command's name. */
function groupOf({ name }: { name: string }): string {
  return name.split(' ', 1)[0] ?? ''
}

function named<C extends { name: string }>(commands: readonly C[], args: readonly string[]): C | undefined {
  return commands.find(({ name }) => name === args.slice(0, name.split(' ').length).join(' '))
}

function operands({ name }: { name: string }, args: readonly string[]): readonly string[] {
  return args.slice(name.split(' ').length)
}
