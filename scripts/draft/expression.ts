/** A part of a draft as JSON: it is evaluated to a definition, and printed as its source. */
export type Expression =
  | string
  | number
  | boolean
  | null
  | Call
  | readonly Expression[]
  | { readonly [name: string]: Expression }

/** A call of one of the functions with which connectors are written. */
export interface Call {
  readonly $call: string
  readonly args: readonly Expression[]
}

/** What an expression calls, by name. A value that is not a function stands for itself. */
export type Vocabulary = Readonly<Record<string, unknown>>

/** Makes a call; trailing arguments that are undefined are left out. */
export function call($call: string, ...args: readonly (Expression | undefined)[]): Call {
  return { $call, args: args.filter(arg => arg !== undefined) }
}

/** Whether an expression is a call, of this function if one is given. */
export function isCall(part: unknown, name?: string): part is Call {
  return typeof part === 'object' && part !== null && '$call' in part && (name === undefined || part.$call === name)
}

/** Returns the value of an expression. Throws a TypeError for a call of something unknown. */
export function evaluate(part: Expression, vocabulary: Vocabulary): unknown {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map(item => evaluate(item, vocabulary))
  if (!isCall(part))
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, evaluate(value, vocabulary)]))
  const called = vocabulary[part.$call]
  if (called === undefined) throw new TypeError(`A draft cannot call ${part.$call}`)
  return typeof called === 'function' ? called(...part.args.map(arg => evaluate(arg, vocabulary))) : called
}

/** Prints an expression as TypeScript; a formatter breaks its lines. `constants` are names that are not called. */
export function print(part: Expression, constants: ReadonlySet<string>): string {
  if (typeof part === 'string') return quoted(part)
  if (typeof part === 'number')
    return String(part).replace(/^\d{5,}$/, digits => digits.replace(/\B(?=(\d{3})+$)/g, '_'))
  if (typeof part !== 'object' || part === null) return String(part)
  if (Array.isArray(part)) return `[${part.map(item => print(item, constants)).join(', ')}]`
  if (isCall(part))
    return constants.has(part.$call)
      ? part.$call
      : `${part.$call}(${part.args.map(arg => print(arg, constants)).join(', ')})`
  const members = Object.entries(part).map(([name, value]) => `${key(name)}: ${print(value, constants)}`)
  return `{ ${members.join(', ')} }`
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)
}

/** A text in the quotes that a formatter chooses too. */
function quoted(text: string): string {
  const json = JSON.stringify(text)
  return text.includes("'") ? json : `'${json.slice(1, -1).replaceAll('\\"', '"')}'`
}

/** The names that expressions call. */
export function calledIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  return [...(isCall(part) ? [part.$call] : []), ...Object.values(part).flatMap(calledIn)]
}
