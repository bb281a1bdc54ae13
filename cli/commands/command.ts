import { parseArgs } from 'node:util'
import { UsageError } from '../../lib/errors/errors.ts'

/** An option of a command: what its value is called in the help, and whether the command can do without it. */
interface Option {
  value: string
  required: boolean
  /** Given any number of times, or a switch without a value. */
  form?: 'repeated' | 'flag'
  /** What must not be seen in a list of processes: `-` in its place takes a line of standard input. */
  secret?: true
}

type Options = Record<string, Option>
type Value<O extends Option> = O extends { form: 'repeated' }
  ? readonly string[]
  : O extends { form: 'flag' }
    ? boolean
    : O extends { required: true }
      ? string
      : string | undefined
/** What the options of a command are read as. */
export type Values<O extends Options> = { [Name in keyof O]: Value<O[Name]> }

interface Positionals {
  /** The first one; empty where the command takes none. */
  positional: string
  positionals: readonly string[]
}

/** A command of the operator; its arguments come as text from the command line or the control socket. */
export interface Command<Services> {
  /** `org create` */
  readonly name: string
  /** One line of the help. */
  readonly usage: string
  /** The options whose values are secrets. */
  readonly secrets: readonly string[]
  /** What other commands are made of; not in the help. */
  readonly internal: boolean
  /** Runs the command; throws UsageError when the arguments are not the command's. The answer is one JSON object. */
  run(services: Services, args: readonly string[]): Promise<object>
}

export function required(value: string) {
  return { value, required: true } as const
}

export function optional(value: string) {
  return { value, required: false } as const
}

/** An option that may be given more than once. */
export function repeated(value: string) {
  return { value, required: false, form: 'repeated' } as const
}

/** An option that is there or not. */
export function flag() {
  return { value: '', required: false, form: 'flag' } as const
}

/** An option whose value may be `-`: it is read from standard input then, and stands in no list of processes. */
export function secret(value: string) {
  return { value: `${value}|-`, required: false, secret: true } as const
}

/** Defines a command by its options; the types of what `run` is handed follow from them. */
export function command<Services, O extends Options>(
  name: string,
  definition: {
    about: string
    positional?: string
    options: O
    internal?: true
    run(services: Services, args: Values<O> & Positionals): Promise<object>
  },
): Command<Services> {
  const { about, positional, options, internal = false, run } = definition
  const usage = [name, positional, ...Object.entries(options).map(optionUsage)].filter(Boolean).join(' ')
  return {
    name,
    usage: `${usage}\n      ${about}`,
    secrets: Object.keys(options).filter(name => options[name]?.secret),
    internal,
    async run(services, args) {
      const { values, positionals, tokens } = parse(args, options, usage)
      if (positionals.length !== (positional?.split(' ').length ?? 0)) throw new UsageError(`Usage: ${usage}`)
      for (const [option, { required, form }] of Object.entries(options)) {
        const times = tokens.filter(token => token.kind === 'option' && token.name === option).length
        if (times > 1 && form !== 'repeated')
          throw new UsageError(`--${option} is given more than once. Usage: ${usage}`)
        const given = [values[option] ?? []].flat()
        if (required && given.length === 0) throw new UsageError(`--${option} is missing. Usage: ${usage}`)
        if (given.some(value => typeof value === 'string' && value.trim() === ''))
          throw new UsageError(`--${option} is empty. Usage: ${usage}`)
      }
      const complete = { ...absent(options), ...values, positional: positionals[0] ?? '', positionals }
      return run(services, complete as Values<O> & Positionals)
    },
  }
}

function parse(args: readonly string[], options: Options, usage: string) {
  const config = {
    args: withNegatives(args, options),
    allowPositionals: true,
    tokens: true as const,
    options: Object.fromEntries(
      Object.entries(options).map(([name, { form }]) => [
        name,
        { type: form === 'flag' ? 'boolean' : 'string', multiple: form === 'repeated' } as const,
      ]),
    ),
  }
  try {
    return parseArgs(config)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const { tokens } = parseArgs({ ...config, strict: false })
    const given = tokens.filter(token => token.kind === 'option')
    const unknown = given.find(({ name }) => !Object.hasOwn(options, name))
    const taken = given.find(
      ({ name, value, inlineValue }) =>
        options[name]?.form !== 'flag' && inlineValue === false && value.startsWith('-') && value !== '-',
    )
    // Node's own words repeat an unknown option whole, and the value with it where both stand in one word.
    const wrong = unknown === undefined ? taken && noValue(taken.name, options) : noOption(unknown.rawName, options)
    throw new UsageError(`${wrong ?? error.message} Usage: ${usage}`)
  }
}

/** The arguments with each negative number joined to the option before it: no option is a number, and the command says what it takes. */
function withNegatives(args: readonly string[], options: Options): string[] {
  const joined: string[] = []
  for (const arg of args) {
    const last = joined.at(-1) ?? ''
    const option = options[last.slice(2)]
    const takes = last.startsWith('--') && option !== undefined && option.form !== 'flag'
    if (takes && /^-[\d.]/.test(arg)) joined[joined.length - 1] = `${last}=${arg}`
    else joined.push(arg)
  }
  return joined
}

/** What is wrong with an option whose place for a value another option has. */
function noValue(name: string, options: Options): string {
  return `--${name} takes ${options[name]?.value}, and what follows it looks like an option. A value that begins with a hyphen is joined to it: --${name}=-….`
}

/** What is wrong with an option that the command does not have, without a word of what may be a value: it may be a secret. */
function noOption(given: string, options: Options): string {
  const known = Object.entries(options).find(
    ([name, { secret }]) => given.startsWith(`--${name}`) && (secret || /^[^\w-]/.test(given.slice(name.length + 2))),
  )
  if (known !== undefined) return `--${known[0]} and its value are two words, or one with = between them.`
  return /^--[a-z-]{1,24}$/.test(given) ? `There is no option ${given}.` : 'There is no such option.'
}

/** What options that were not given are read as. */
function absent(options: Options): Record<string, boolean | string[]> {
  const values: Record<string, boolean | string[]> = {}
  for (const [name, { form }] of Object.entries(options)) {
    if (form === 'flag') values[name] = false
    if (form === 'repeated') values[name] = []
  }
  return values
}

function optionUsage([name, { value, required, form }]: [string, Option]): string {
  if (required) return `--${name} ${value}`
  if (form === 'flag') return `[--${name}]`
  return form === 'repeated' ? `[--${name} ${value} …]` : `[--${name} ${value}]`
}
