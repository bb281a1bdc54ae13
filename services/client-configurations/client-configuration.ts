import { quoteForShell } from '../../lib/command-line.ts'

/** How to connect one MCP client, SDK or command-line tool to the gateway: with a key, and by signing in. */
export interface ClientConfiguration {
  readonly id: string
  /** The name that its vendor uses. */
  readonly name: string
  readonly kind: 'app' | 'sdk' | 'command'
  readonly key: ConnectionForm
  readonly signIn: ConnectionForm
  /** What a user has to know about this client, as Markdown sentences. */
  readonly notes: readonly string[]
}

/** The ways to connect, shortest first, or the reason why the client cannot. Reasons and texts are Markdown. */
export type ConnectionForm = { readonly steps: readonly Step[] } | { readonly unsupported: string }

/** One way to connect: a file, a command, a link or an instruction. `afterwards` is what remains to do. */
export type Step = (FileStep | CommandStep | DeeplinkStep | CodeStep | InstructionStep) & {
  readonly afterwards?: string
}

/** A configuration file. If it exists, the content has to be merged into it. */
interface FileStep {
  readonly kind: 'file'
  readonly path: string
  readonly format: 'json' | 'toml' | 'yaml'
  readonly content: string
}

/** A command for a POSIX shell. */
interface CommandStep {
  readonly kind: 'command'
  readonly command: string
}

/** A link that opens the client and adds the server. It never contains a secret. */
interface DeeplinkStep {
  readonly kind: 'deeplink'
  readonly url: string
}

/** A part of a program, which reads the key from the environment. */
interface CodeStep {
  readonly kind: 'code'
  readonly language: 'js' | 'python'
  readonly install: string
  readonly content: string
}

interface InstructionStep {
  readonly kind: 'instruction'
  readonly text: string
}

/** The gateway that a client connects to, and the key in the forms in which clients write it. */
export interface Target {
  /** The URL of `POST /mcp`. */
  readonly url: string
  readonly name: string
  /** The name for clients that accept only letters, digits, `-` and `_`. */
  readonly identifier: string
  /** The environment variable with the key. */
  readonly variable: string
  /** The key, for the user's own screen, instead of the variable. If undefined, the snippets contain no secret. */
  readonly secret: string | undefined
  /** Whether vendors' servers can reach the gateway: https, and not this machine. */
  readonly reachableFromOutside: boolean
}

/** The key in a client that expands `reference`, its own spelling of an environment variable. */
export function keyOr(target: Target, reference: string): string {
  return target.secret ?? reference
}

/** The key in a client that reads no environment variables: a placeholder, unless the secret is given. */
export function literalKey(target: Target): string {
  return target.secret ?? 'YOUR_KEY'
}

/** The advice for `literalKey`. */
export const REPLACE_KEY = 'Replace `YOUR_KEY`: this file does not expand environment variables.'

/** The header with the key as a word of a shell command. The shell expands the variable. */
export function headerWord({ variable, secret }: Target, before = 'x-api-key: '): string {
  return secret === undefined ? `"${before}$${variable}"` : quoteForShell(before + secret)
}
