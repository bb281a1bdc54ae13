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

/**
 * A client as data. Texts contain placeholders, such as `<url>` or, encoded for their place, `<url:shell>`:
 * `clientConfigurations` lists them.
 */
export interface ClientTemplate extends Pick<ClientConfiguration, 'id' | 'name' | 'kind' | 'notes'> {
  /** How the client writes an environment variable. A client without a way to write one gets a placeholder as `<key>`. */
  readonly reference?: string
  readonly key: FormTemplate
  readonly signIn: FormTemplate
}

/** The steps, or why the client cannot be configured this way. */
type Form = readonly StepTemplate[] | string

/** `reachable`: vendors' servers can reach the gateway. `secret`: the key is written out. */
export type FormTemplate = Form | { readonly if: 'reachable' | 'secret'; readonly use: Form; readonly otherwise: Form }

/** A step. The name of a file's format has its path, the language of a program what it installs. */
export type StepTemplate = { readonly afterwards?: string } & (
  | { readonly json: string; readonly content: Readonly<Record<string, unknown>> }
  | { readonly toml: string; readonly content: string }
  | { readonly yaml: string; readonly content: string }
  | { readonly js: string; readonly content: string }
  | { readonly python: string; readonly content: string }
  /** The link or command contains the configuration as `<config:…>`, where that is its form. */
  | { readonly deeplink: string; readonly config: object }
  | { readonly command: string; readonly config?: object }
  | { readonly instruction: string }
)
