import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { parseTOML } from 'confbox'
import { load } from 'js-yaml'
import t from 'tap'
import type { ClientConfiguration, Step } from '../../../services/client-configurations/client-configuration.ts'
import { clientConfigurations } from '../../../services/client-configurations/client-configurations.ts'
import fc from '../../fixtures/property.ts'

const PARSERS = { json: JSON.parse, toml: parseTOML, yaml: load }

function stepsOf({ key, signIn }: ClientConfiguration): Step[] {
  return [key, signIn].flatMap(form => ('steps' in form ? form.steps : []))
}

type Kind<K extends Step['kind']> = Extract<Step, { kind: K }>

function stepsOfKind<K extends Step['kind']>(clients: ClientConfiguration[], kind: K): Kind<K>[] {
  return clients.flatMap(stepsOf).filter((step): step is Kind<K> => step.kind === kind)
}

/** The client with an ID, with the steps of one of its forms. */
function steps(clients: ClientConfiguration[], id: string, form: 'key' | 'signIn'): readonly Step[] {
  const connection = clients.find(client => client.id === id)?.[form]
  return connection !== undefined && 'steps' in connection ? connection.steps : []
}

/** The words of each command, as a shell reads them. Programs are replaced by one that prints its arguments. */
function shellWords(commands: readonly string[], env: Record<string, string>): string[][] {
  const programs = ['claude', 'codex', 'gemini', 'code', 'devin', 'npx', 'curl']
  const stubs = programs.map(name => `${name}() { printf '%s\\0' ${name} "$@"; printf '\\n\\0'; }`)
  const out = execFileSync('sh', ['-eu', '-c', [...stubs, ...commands].join('\n')], { env, encoding: 'utf8' })
  return out
    .split('\n\0')
    .slice(0, -1)
    .map(words => words.split('\0').slice(0, -1))
}

/** Decodes a deeplink to the server's name and configuration. */
function decodeDeeplink(link: string): { name: unknown; config: Record<string, unknown> } {
  const { protocol, searchParams, search } = new URL(link)
  if (protocol === 'vscode:') {
    const { name, inputs, ...config } = JSON.parse(decodeURIComponent(search.slice(1)))
    return { name, config }
  }
  const config = JSON.parse(Buffer.from(searchParams.get('config') ?? '', 'base64').toString())
  return { name: searchParams.get('name'), config }
}

/** All strings of a value. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : []
}

t.test('every client that people use has a configuration', async t => {
  const clients = clientConfigurations({ origin: 'https://gateway.example' })
  t.same(
    clients.map(({ id }) => id),
    [
      ...['claude-code', 'codex', 'gemini-cli', 'cursor', 'vs-code', 'windsurf', 'zed', 'cline', 'continue'],
      ...['claude-desktop', 'chatgpt', 'lm-studio', 'mcp-remote', 'typescript-sdk-1', 'typescript-sdk-2', 'python-sdk'],
      ...['ai-sdk', 'openai-agents', 'langchain', 'mastra', 'strands', 'inspector', 'mcporter', 'curl'],
    ],
  )
  const without = (form: 'key' | 'signIn') =>
    clients.filter(client => 'unsupported' in client[form]).map(({ id }) => id)
  t.same([without('key'), without('signIn')], [['chatgpt'], ['curl']])
  for (const client of clients)
    for (const form of ['key', 'signIn'] as const) {
      const connection = client[form]
      t.ok('unsupported' in connection || connection.steps.length > 0, `${client.id}: ${form}`)
    }
})

t.test('a key is sent as Authorization: with x-api-key, some clients hide why it is rejected', async t => {
  for (const secret of [undefined, 'cgw_test_key'])
    for (const client of clientConfigurations({ origin: 'https://gateway.example', ...(secret && { secret }) })) {
      const written = steps([client], client.id, 'key').map(step =>
        JSON.stringify(step.kind === 'deeplink' ? decodeDeeplink(step.url) : step),
      )
      for (const text of written) {
        t.notMatch(text, 'x-api-key', client.id)
        t.match(text, /Authorization|bearer/, client.id)
      }
    }
})

t.test('every npm package is named with a version, which is the tested one or begins it', async t => {
  const manifest = JSON.parse(readFileSync(new URL('../../clients/package.json', import.meta.url), 'utf8'))
  const tested: Record<string, string> = manifest.dependencies
  const lines = texts(clientConfigurations({ origin: 'https://gateway.example' })).join('\n')
  const named = [...lines.matchAll(/(?:-y |"-y",\s*"|npm install )(@?[^@\s"]+)(?:@([^\s"]+))?/g)]
  t.same(
    new Set(named.map(([, name]) => name)),
    new Set([
      ...['@modelcontextprotocol/sdk', '@modelcontextprotocol/client', '@ai-sdk/mcp', '@openai/agents', 'mcp-remote'],
      ...[
        '@langchain/mcp-adapters',
        '@mastra/mcp',
        '@strands-agents/sdk',
        '@modelcontextprotocol/inspector',
        'mcporter',
      ],
    ]),
  )
  for (const [, name = '', version = 'none'] of named)
    t.ok(`${tested[name]}.`.startsWith(`${version}.`), `${name}@${version} of ${tested[name]}`)
})

t.test('a gateway that vendors cannot reach has no configuration that needs them', async t => {
  for (const origin of ['http://127.0.0.1:3000', 'https://localhost', 'http://gateway.internal']) {
    const clients = clientConfigurations({ origin })
    t.same(steps(clients, 'chatgpt', 'signIn'), [], origin)
    t.same(
      steps(clients, 'claude-desktop', 'signIn').map(({ kind }) => kind),
      ['file'],
      `${origin}: Claude Desktop uses mcp-remote`,
    )
  }
})

t.test('mcp-remote gets --allow-http exactly where it demands it', async t => {
  const allows = (origin: string) => JSON.stringify(steps(clientConfigurations({ origin }), 'mcp-remote', 'key'))
  for (const origin of ['https://gateway.example', 'http://127.0.0.1:3000', 'http://localhost:3000'])
    t.notMatch(allows(origin), '--allow-http', origin)
  for (const origin of ['http://gateway.internal', 'http://[::1]:3000']) t.match(allows(origin), '--allow-http', origin)
})

/** Characters with a meaning in one of the formats, and characters that one of them forbids. */
const special = fc.constantFrom(...`"'\\$\`{}:#&%+\n\u007f\u0085\ufffe\ud800`)
const anyName = fc.string({
  unit: fc.oneof(special, fc.string({ unit: 'binary', minLength: 1 })),
  minLength: 1,
  maxLength: 20,
})
const anyOrigin = fc.oneof(
  fc.constantFrom(
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'https://xn--bcher-kva.example',
    'https://a_b.example:8443',
  ),
  fc.domain().map(domain => `https://${domain}`),
)
const anySecret = fc.base64String({ minLength: 8 }).map(text => `cgw_test_${text}`)

t.test('every file parses and has the URL and the key, whatever the name, the origin and the key', async () => {
  fc.assert(
    fc.property(anyName, anyOrigin, fc.option(anySecret, { nil: undefined }), (name, origin, secret) => {
      const clients = clientConfigurations({ origin, name, ...(secret !== undefined && { secret }) })
      for (const { id, key, signIn } of clients)
        for (const [form, connection] of [['key', key] as const, ['signIn', signIn] as const]) {
          if ('unsupported' in connection) continue
          for (const step of connection.steps) {
            if (step.kind !== 'file') continue
            const content = texts(PARSERS[step.format](step.content))
            // The parsers are lenient, but YAML and TOML forbid these characters.
            if (step.format !== 'json' && /[\u007f-\u009f\ufffe\uffff]/.test(step.content))
              return fail(`${id}: unprintable`)
            if (!content.includes(`${origin}/mcp`)) return fail(`${id} ${form}: no URL`)
            const hasKey = content.some(
              text => /CGW_KEY|YOUR_KEY|input:cgw-key/.test(text) || text.includes(secret ?? '\0'),
            )
            if (hasKey !== (form === 'key')) return fail(`${id} ${form}: key`)
          }
        }
    }),
    { numRuns: 50 },
  )
})

t.test('every command is read by a shell as the words that were meant', async t => {
  const name = `it's "$(touch x)" & \`co\``
  for (const origin of ['https://gateway.example', 'http://[::1]:3000']) {
    const url = `${origin}/mcp`
    const commands = stepsOfKind(clientConfigurations({ origin, name }), 'command').map(({ command }) => command)
    const words = shellWords(commands, { CGW_KEY: 'cgw_test_key' })
    for (const command of words) {
      if (command[2] === 'login') continue
      t.ok(
        command.some(word => word === url || word.includes(`"url":"${url}"`)),
        command.join(' '),
      )
    }
    const find = (...start: string[]) => words.find(command => start.every((word, i) => command[i] === word))
    t.same(find('claude')?.slice(3), [
      '--transport',
      'http',
      'it-s-touch-x-co',
      url,
      '--header',
      'Authorization: Bearer cgw_test_key',
    ])
    t.ok(find('npx')?.includes(`Authorization:\${CGW_KEY}`), 'mcp-remote expands the variable itself')
    t.match(JSON.parse(find('code')?.[2] ?? ''), { url })
  }
})

t.test('a given key is quoted for the shell and appears in no deeplink and no program', async t => {
  const secret = `cgw_test_it's $HOME`
  const clients = clientConfigurations({ origin: 'https://gateway.example', secret })
  const words = shellWords(
    stepsOfKind(clients, 'command').map(({ command }) => command),
    {},
  )
  const line = (program: string) => words.find(([name]) => name === program)
  for (const program of ['claude', 'gemini', 'devin', 'curl'])
    t.ok(line(program)?.includes(`Authorization: Bearer ${secret}`), program)
  for (const { url } of stepsOfKind(clients, 'deeplink')) {
    t.notMatch(JSON.stringify(decodeDeeplink(url)), 'cgw_test')
    t.notMatch(url, 'cgw_test')
  }
  for (const { content } of stepsOfKind(clients, 'code')) t.notMatch(content, 'cgw_test')
  for (const { format, content } of stepsOfKind(clients, 'file'))
    if (content.includes('cgw_test')) t.ok(texts(PARSERS[format](content)).some(text => text.includes(secret)))
})

t.test('every deeplink decodes to the configuration of its client', async t => {
  fc.assert(
    fc.property(anyName, anyOrigin, (name, origin) => {
      const links = stepsOfKind(clientConfigurations({ origin, name }), 'deeplink').map(({ url }) => url)
      if (links.length !== 5) return fail(`${links.length} links`)
      for (const link of links) {
        const decoded = decodeDeeplink(link)
        if (!texts(decoded.config).includes(`${origin}/mcp`)) return fail(link)
        if (!link.startsWith('vscode:') && decoded.name !== name.toWellFormed()) return fail(link)
      }
    }),
    { numRuns: 50 },
  )
  const [withKey] = stepsOfKind(clientConfigurations({ origin: 'https://gateway.example' }), 'deeplink')
  t.same(decodeDeeplink(withKey?.url ?? ''), {
    name: 'connector-gateway',
    config: { url: 'https://gateway.example/mcp', headers: { Authorization: `Bearer \${env:CGW_KEY}` } },
  })
})

t.test('every JavaScript snippet is a valid module', async t => {
  const clients = clientConfigurations({ origin: 'https://gateway.example', name: `it's "quoted"` })
  const snippets = stepsOfKind(clients, 'code').filter(({ language }) => language === 'js')
  t.equal(snippets.length, 14)
  for (const { content } of snippets) t.doesNotThrow(() => stripTypeScriptTypes(content), content)
})

t.test('an origin or a variable that could break out of a snippet is refused', async t => {
  t.throws(() => clientConfigurations({ origin: 'javascript:alert(1)' }), TypeError)
  t.throws(() => clientConfigurations({ origin: 'https://gateway.example', variable: 'KEY;rm' }), TypeError)
  const [first] = stepsOfKind(clientConfigurations({ origin: 'https://gateway.example/path?q="#x' }), 'command')
  t.match(first?.command, ' https://gateway.example/mcp ')
})

function fail(message: string): never {
  throw new Error(message)
}
