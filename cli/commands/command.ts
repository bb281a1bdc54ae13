import { parseArgs } from 'node:util'
import { GatewayError, UsageError } from '../../lib/errors/errors.ts'
import { DOLLAR, MOST_MICROS, microsOfDollars } from '../../schemas/billing/money.ts'

/** An option of a command: the placeholder of its value in the help, and whether it is required. */
interface Option {
  value: string
  required: boolean
  /** Can be given several times, or is a switch without a value. */
  form?: 'repeated' | 'flag'
  /** The value is a user's ID or email. */
  person?: true
  /** The value must not appear in a process list: `-` reads it from standard input. */
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
/** The parsed options of a command. */
export type Values<O extends Options> = { [Name in keyof O]: Value<O[Name]> }

interface Positionals {
  /** The first one; empty if the command takes none. */
  positional: string
  positionals: readonly string[]
}

/** An operator command. Its arguments are text from the command line or the control socket. */
export interface Command<Services> {
  /** `org create` */
  readonly name: string
  /** One line of the help. */
  readonly usage: string
  /** The options whose values are secrets. */
  readonly secrets: readonly string[]
  /** A step of another command; not in the help. */
  readonly internal: boolean
  /**
   * Runs the command and returns one JSON object. `findUser` returns the ID of a user that an option names. Throws
   * UsageError if the arguments are invalid.
   */
  run(services: Services, args: readonly string[], findUser?: FindUser): Promise<object>
}

type FindUser = (user: string, orgId: string | undefined) => Promise<string>

export function required(value: string) {
  return { value, required: true } as const
}

export function optional(value: string) {
  return { value, required: false } as const
}

/** An option that names a user, by ID or email. `run` gets the ID. */
export function person<const R extends boolean>(given: { required: R }) {
  return { value: 'USER|EMAIL', person: true, ...given } as const
}

/** An option that can be given several times. */
export function repeated(value: string) {
  return { value, required: false, form: 'repeated' } as const
}

/** A switch without a value. */
export function flag() {
  return { value: '', required: false, form: 'flag' } as const
}

/** An option whose value can be `-`: it is then read from standard input and appears in no process list. */
export function secret(value: string) {
  return { value: `${value}|-`, required: false, secret: true } as const
}

/** Defines a command. The argument types of `run` follow from the options. */
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
    async run(services, args, findUser = async user => user) {
      const { values, positionals, tokens } = parse(args, options, usage)
      if (positionals.length !== (positional?.split(' ').length ?? 0)) throw new UsageError(`Usage: ${usage}`)
      for (const [option, { required, form }] of Object.entries(options)) {
        const times = tokens.filter(token => token.kind === 'option' && token.name === option).length
        if (times > 1 && form !== 'repeated')
          throw new UsageError(`--${option} is given more than once. Give it once. Usage: ${usage}`)
        const given = [values[option] ?? []].flat()
        if (required && given.length === 0) throw new UsageError(`--${option} is missing. Usage: ${usage}`)
        if (given.some(value => typeof value === 'string' && value.trim() === ''))
          throw new UsageError(`--${option} is empty. Usage: ${usage}`)
      }
      const people: Record<string, string> = {}
      for (const [option, value] of Object.entries(values))
        if (options[option]?.person && typeof value === 'string') people[option] = await findUser(value, orgOf(values))
      const complete = { ...absent(options), ...values, ...people, positional: positionals[0] ?? '', positionals }
      return run(services, complete as Values<O> & Positionals)
    },
  }
}

function orgOf({ org }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof org === 'string' ? org : undefined
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
    // Node's message repeats an unknown option, including a value in the same word, which can be a secret.
    const wrong = unknown === undefined ? taken && noValue(taken.name, options) : noOption(unknown.rawName, options)
    throw new UsageError(`${wrong ?? error.message} Usage: ${usage}`)
  }
}

/** Joins each negative number to the option before it, so that the command rejects it with its own message. */
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

/** The message for an option that is followed by another option instead of a value. */
function noValue(name: string, options: Options): string {
  return `--${name} takes ${options[name]?.value}, but the next word looks like an option. Join a value that begins with a hyphen: --${name}=-….`
}

/** The message for an unknown option. It never contains text that can be a value, because a value can be a secret. */
function noOption(given: string, options: Options): string {
  const known = Object.entries(options).find(
    ([name, { secret }]) => given.startsWith(`--${name}`) && (secret || /^[^\w-]/.test(given.slice(name.length + 2))),
  )
  if (known !== undefined) return `Separate --${known[0]} and its value with a space or =.`
  return /^--[a-z-]{1,24}$/.test(given) ? `There is no option ${given}.` : 'There is no such option.'
}

/** The values of options that are not given. */
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

const MOST_DOLLARS = `${MOST_MICROS / DOLLAR / 1_000_000} million`

/** Parses an amount of dollars into micro-dollars. Throws invalid_request for any other text. */
export function dollarsOption(option: string, text: string, { from }: { from: 0 | 1 }): number {
  const micros = microsOfDollars(text)
  if (micros !== undefined && micros >= from) return micros
  throw new GatewayError(
    'invalid_request',
    `--${option} must be a number of dollars, ${from === 0 ? '0 or more' : 'more than 0'}, up to ${MOST_DOLLARS}, with at most six decimals and no separators, such as 2500 or 0.5.`,
  )
}

const DEFAULT_ROWS = 20
const MAX_ROWS = 200

/** Parses the number of rows of a list. Throws invalid_request for any other text. */
export function limitOption(text: string | undefined): number {
  if (text === undefined) return DEFAULT_ROWS
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= MAX_ROWS) return limit
  throw new GatewayError('invalid_request', `--limit must be a number of rows from 1 to ${MAX_ROWS}.`)
}

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 }
const MAX_OVERLAP = 7 * SECONDS.d

/** Parses a duration of at most 7 days, such as `90s`, `30m`, `12h` or `7d`, to seconds. Throws invalid_request for any other text. */
export function secondsOption(option: string, text: string): number {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const seconds = number === undefined ? -1 : Number(number) * SECONDS[unit as keyof typeof SECONDS]
  if (seconds >= 0 && seconds <= MAX_OVERLAP) return seconds
  throw new GatewayError(
    'invalid_request',
    `--${option} must be a time of at most 7 days, such as 90s, 30m, 12h or 7d.`,
  )
}
