import { UsageError } from './command.ts'
import { COMMANDS } from './commands.ts'
import type { OperatorServices } from './operator-services.ts'

/** Runs the command that these arguments name; throws UsageError when they name none. */
export function runCommand(services: OperatorServices, args: readonly string[]): Promise<object> {
  const command = COMMANDS.find(({ name }) => name === args.slice(0, name.split(' ').length).join(' '))
  if (command === undefined) throw new UsageError(`There is no such command.\n\n${help()}`)
  return command.run(services, args.slice(command.name.split(' ').length))
}

/** Every command and what it does. */
export function help(): string {
  return `Commands:\n${COMMANDS.map(({ usage }) => `  ${usage}`).join('\n')}\n\nWith --json the answer is one JSON object on stdout.`
}
