import { parseArgs } from 'node:util'

/** An option of a command: what its value is called in the help, and whether the command can do without it. */
interface Option {
  value: string
  required: boolean
}

type Options = Record<string, Option>
type Values<O extends Options> = {
  [Name in keyof O]: O[Name] extends { required: true } ? string : string | undefined
}

/** A command of the operator; its arguments come as text from the command line or the control socket. */
export interface Command<Services> {
  /** `org create` */
  readonly name: string
  /** One line of the help. */
  readonly usage: string
  /** Runs the command; throws UsageError when the arguments are not the command's. The answer is one JSON object. */
  run(services: Services, args: readonly string[]): Promise<object>
}

/** Arguments that a command does not take; the message says which, and the usage follows. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export function required(value: string) {
  return { value, required: true } as const
}

export function optional(value: string) {
  return { value, required: false } as const
}

/** Defines a command by its options; the types of what `run` is handed follow from them. */
export function command<Services, O extends Options>(
  name: string,
  definition: {
    about: string
    positional?: string
    options: O
    run(services: Services, args: Values<O> & { positional: string }): Promise<object>
  },
): Command<Services> {
  const { about, positional, options, run } = definition
  const usage = [name, positional, ...Object.entries(options).map(optionUsage)].filter(Boolean).join(' ')
  return {
    name,
    usage: `${usage}\n      ${about}`,
    async run(services, args) {
      const { values, positionals } = parse(args, options, usage)
      if (positionals.length !== (positional === undefined ? 0 : 1)) throw new UsageError(`Usage: ${usage}`)
      for (const [option, { required }] of Object.entries(options))
        if (required && values[option] === undefined) throw new UsageError(`--${option} is missing. Usage: ${usage}`)
        else if (values[option]?.trim() === '') throw new UsageError(`--${option} is empty. Usage: ${usage}`)
      return run(services, { ...values, positional: positionals[0] ?? '' } as Values<O> & { positional: string })
    },
  }
}

function parse(args: readonly string[], options: Options, usage: string) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(Object.keys(options).map(name => [name, { type: 'string' as const }])),
    })
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : 'Bad arguments.'} Usage: ${usage}`)
  }
}

function optionUsage([name, { value, required }]: [string, Option]): string {
  return required ? `--${name} ${value}` : `[--${name} ${value}]`
}
