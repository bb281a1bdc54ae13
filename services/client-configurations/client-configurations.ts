import { quoteForShell } from '../../lib/command-line.ts'
import { isLoopback } from '../../lib/configuration/network.ts'
import type { ClientConfiguration, ConnectionForm, FormTemplate, Step, StepTemplate } from './client-configuration.ts'
import { CLIENTS } from './clients.ts'

interface ClientConfigurationOptions {
  /** The public origin of the gateway. Throws a TypeError if it is not an http or https URL. */
  origin: string
  /** The name that clients show for the gateway. */
  name?: string
  /** The environment variable in which a user keeps their key: letters, digits and `_`. */
  variable?: string
  /** A key to write out instead of the variable, only for the screen of its owner. Never part of a deeplink. */
  secret?: string
}

/** Generates the configurations of all clients for one gateway, in the order in which people use them. */
export function clientConfigurations({
  origin,
  name = 'connector-gateway',
  variable = 'CGW_KEY',
  secret,
}: ClientConfigurationOptions): ClientConfiguration[] {
  const { protocol, hostname, origin: base } = new URL(origin)
  if (!['http:', 'https:'].includes(protocol)) throw new TypeError('An origin begins with http:// or https://.')
  if (!/^[A-Za-z_]\w*$/.test(variable)) throw new TypeError('Use letters, digits and _ in the name of a variable.')
  const identifier = identifierOf(name)
  const header = (before: string) => (secret === undefined ? `"${before}$${variable}"` : quoteForShell(before + secret))
  const plain = protocol === 'http:'
  const values: Values = {
    /** The URL of `POST /mcp`. */
    url: `${base}/mcp`,
    name: name.toWellFormed(),
    /** The name for clients that accept only letters, digits, `-` and `_`. */
    identifier,
    /** For clients that split a name at underscores. */
    dashed: identifier.replaceAll('_', '-'),
    camel: identifier.replaceAll(/[-_]+(.)/g, (_, letter: string) => letter.toUpperCase()),
    /** The environment variable with the key. */
    variable,
    /** The header with the key as a word of a shell command. The shell expands the variable. */
    header: header('Authorization: Bearer '),
    'header-assignment': header('Authorization=Bearer '),
    /** Empty for the only two names for which mcp-remote accepts plain http without it. */
    'allow-http': plain && !['localhost', '127.0.0.1'].includes(hostname) ? '--allow-http' : '',
    'allow-any-http': plain ? '--allow-http' : '',
  }
  const conditions = { reachable: !plain && !isLoopback(hostname), secret: secret !== undefined }

  return CLIENTS.map(({ id, name, kind, reference, key, signIn, notes }) => {
    // Not x-api-key: some clients then answer a rejected key with a sign-in, without saying why.
    const written = reference === undefined ? 'YOUR_KEY' : fill(reference, values)
    const all = { ...values, reference: written, key: secret ?? written, bearer: `Bearer ${secret ?? written}` }
    return {
      id,
      name,
      kind,
      key: formOf(key, conditions, all),
      signIn: formOf(signIn, conditions, all),
      notes: notes.map(note => fill(note, all)),
    }
  })
}

type Values = Readonly<Record<string, string>>

function formOf(
  form: FormTemplate,
  conditions: { reachable: boolean; secret: boolean },
  values: Values,
): ConnectionForm {
  if (typeof form === 'object' && 'if' in form)
    return formOf(conditions[form.if] ? form.use : form.otherwise, conditions, values)
  return typeof form === 'string'
    ? { unsupported: form }
    : { steps: form.map(step => ({ ...stepOf(step, values), ...afterwardsOf(step, values) })) }
}

function afterwardsOf({ afterwards }: StepTemplate, values: Values): { afterwards?: string } {
  return afterwards === undefined ? {} : { afterwards: fill(afterwards, values) }
}

function stepOf(step: StepTemplate, given: Values): Step {
  const values = 'config' in step ? { ...given, config: JSON.stringify(fillAll(step.config, given)) } : given
  const text = (template: string) => fill(template, values)
  if ('command' in step) return { kind: 'command', command: text(step.command) }
  if ('deeplink' in step) return { kind: 'deeplink', url: text(step.deeplink) }
  if ('instruction' in step) return { kind: 'instruction', text: text(step.instruction) }
  if ('js' in step) return { kind: 'code', language: 'js', install: step.js, content: text(step.content) }
  if ('python' in step) return { kind: 'code', language: 'python', install: step.python, content: text(step.content) }
  if ('toml' in step) return { kind: 'file', path: step.toml, format: 'toml', content: text(step.content) }
  if ('yaml' in step) return { kind: 'file', path: step.yaml, format: 'yaml', content: text(step.content) }
  const content = JSON.stringify(fillAll(step.content, values), null, 2)
  return { kind: 'file', path: step.json, format: 'json', content }
}

/** Fills the placeholders of a text. A value is never read as a template. */
function fill(template: string, values: Values): string {
  return template.replaceAll(/<([a-z-]+)(?::([a-z0-9]+))?>/g, (_, name: string, encoding = 'text') => {
    const [value, encode] = [values[name], ENCODINGS[encoding]]
    if (value === undefined || encode === undefined) throw new TypeError(`Unknown placeholder: <${name}:${encoding}>`)
    return encode(value)
  })
}

/** Fills the placeholders in the names and values of a configuration. Items of a list that are then empty are left out. */
function fillAll(value: unknown, values: Values): unknown {
  if (typeof value === 'string') return fill(value, values)
  if (Array.isArray(value)) return value.map(item => fillAll(item, values)).filter(item => item !== '')
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [fill(name, values), fillAll(of, values)]))
}

const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  text: text => text,
  shell: quoteForShell,
  /** One more word of a shell command, or none. */
  word: text => (text === '' ? '' : ` ${text}`),
  quoted,
  uri: encodeURIComponent,
  base64: text => encodeURIComponent(Buffer.from(text).toString('base64')),
}

/** Characters that JSON leaves as they are but TOML or YAML forbid in a quoted string. */
const UNPRINTABLE = /[\u007f-\u009f\ufffe\uffff]/g

/** Quotes a text as a string that means the same in JSON, TOML, YAML, JavaScript and Python. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    UNPRINTABLE,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Makes a name of letters, digits, `-` and `_`, which every client accepts. */
function identifierOf(name: string): string {
  const identifier = name.replaceAll(/[^A-Za-z0-9_-]+/g, '-').replaceAll(/^-+|-+$/g, '')
  return identifier === '' ? 'connector-gateway' : identifier
}
