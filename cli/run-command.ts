import { UsageError } from '../lib/errors/errors.ts'
import type { Terminal } from './browser-authorization.ts'
import type { Command } from './commands/command.ts'
import type { OperatorServices } from './commands/operator-services.ts'
import { COMMANDS } from './commands.ts'
import { CONNECT_ACCOUNT } from './connect-account.ts'
import { CONNECT_REMOTE } from './connect-remote.ts'

/** Commands that run in the operator's process, and have others run where the database is. */
const TERMINAL_COMMANDS: readonly Command<Terminal>[] = [CONNECT_ACCOUNT, CONNECT_REMOTE]

/** Runs the command that these arguments name; throws UsageError when they name none. */
export function runCommand(services: OperatorServices, args: readonly string[]): Promise<object> {
  const command = named(COMMANDS, args)
  if (command === undefined) throw new UsageError(`There is no such command.\n\n${help(args[0])}`)
  return command.run(services, operands(command, args))
}

/** Runs what is typed in a terminal: here, or where the database is. */
export function runInTerminal(terminal: Terminal, args: readonly string[]): Promise<object> {
  const command = named(TERMINAL_COMMANDS, args)
  return command === undefined ? terminal.execute(args) : command.run(terminal, operands(command, args))
}

/** What the process exits with on an answer: 1 where the command found what it looked for wrong (`ok` is false). */
export function exitCodeOf(answer: object): 0 | 1 {
  return 'ok' in answer && answer.ok === false ? 1 : 0
}

/** The options of the command these arguments name that hold secrets. */
export function secretOptions(args: readonly string[]): readonly string[] {
  return (named(TERMINAL_COMMANDS, args) ?? named(COMMANDS, args))?.secrets ?? []
}

/** Every command and what it does; of a group (`account`), its commands alone. */
export function help(group?: string): string {
  const shown = [...TERMINAL_COMMANDS, ...COMMANDS].filter(({ internal }) => !internal)
  const groups = Map.groupBy(shown, groupOf)
  const asked = groups.get(group ?? '') ?? [...new Set(COMMANDS.map(groupOf))].flatMap(name => groups.get(name) ?? [])
  const usages = asked.map(({ usage }) => `  ${usage}`)
  return `Commands:\n${usages.join('\n')}\n\nA value that may be - is asked for in a terminal, else read from standard input, a line each. With --json the answer is one JSON object on stdout.`
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
