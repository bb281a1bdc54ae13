import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { CONVERTERS } from '../../services/connectors/engine/convert/converters.ts'
import { createIcons } from '../../services/connectors/icons.ts'
import { apiKeyMethodOf } from '../../services/definitions/connector-types.ts'
import type { HttpTool } from '../../services/definitions/http-tool-types.ts'
import { requestsOf } from '../../services/definitions/step.ts'
import type { Converter } from '../../services/definitions/template.ts'
import { createConverter } from '../../services/web/converter.ts'
import { PoolError } from '../../services/web/pool.ts'
import { CONNECTORS } from '../../tools/connectors/catalog.ts'
import { gmail } from '../../tools/connectors/gmail/connector.ts'
import { pdfOf } from '../fixtures/pdf.ts'
import { startWithoutLoaders } from '../fixtures/web-fixture.ts'
import { checkCoverage } from './contract.ts'
import { exchange, given } from './exchange.ts'

t.test('every connector has a unique ID, an icon, and tools with names that clients accept', async t => {
  t.equal(new Set(CONNECTORS.map(({ id }) => id)).size, CONNECTORS.length)
  const icons = createIcons(CONNECTORS)
  for (const { id, tools } of CONNECTORS) {
    t.match(icons.urlPath(id), /^\/icons\/[0-9a-f]{64}\.svg$/)
    t.not(tools.length, 0, id)
    for (const { operation } of tools) t.match(`${id}__${operation}`, /^[A-Za-z0-9_-]{1,64}$/)
  }
})

t.test('the first connectors have at least six tools each', async t => {
  for (const id of ['github', 'jira', 'linear', 'resend', 'slack', 'stripe', 'trello']) {
    const { length } = CONNECTORS.find(connector => connector.id === id)?.tools ?? []
    t.ok(length >= 6, `${id} has ${length} tools`)
  }
})

t.test('every connector that accepts keys has the provider verify them before they are stored', async t => {
  const keyed = CONNECTORS.filter(connector => apiKeyMethodOf(connector) !== undefined)
  t.ok(keyed.length >= 9)
  for (const connector of keyed) t.not(apiKeyMethodOf(connector)?.probe, false, connector.id)
})

t.test(
  'the README says which connectors can be connected on a fresh start, and how many need an OAuth app',
  async t => {
    const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8').replace(/\s+/g, ' ')
    const keyed = CONNECTORS.filter(connector => apiKeyMethodOf(connector) !== undefined).map(({ name }) => name)
    t.match(readme, `Nine connectors accept a pasted key right away: ${keyed.toSorted().join(', ')}. The other ten,`)
    t.same([keyed.length, CONNECTORS.length], [9, 19])
  },
)

t.test('every tool has a description, and annotations that distinguish deletions from reads', async t => {
  for (const { id, tools } of CONNECTORS)
    for (const { operation, annotations, request, description, title } of tools) {
      t.ok(
        title.length > 2 && description.length > 8 && /[.!]$/.test(description),
        `${id}__${operation} has a description`,
      )
      t.notMatch(description, /^\w*s\b/, `${id}__${operation} begins with an imperative`)
      t.equal(annotations.readOnlyHint && annotations.destructiveHint, false, `${id}__${operation}`)
      if (request.method === 'DELETE') t.ok(annotations.destructiveHint, `${id}__${operation} deletes`)
    }
})

t.test('a line break that a person writes is one in the rich text of every provider', async t => {
  const breaks = {
    'markdown-to-adf': /"hardBreak"/,
    'markdown-to-asana': /^<body>one\ntwo<\/body>$/,
    'markdown-to-html': /^<p>one<br \/>\ntwo<\/p>$/,
    'markdown-to-mrkdwn': /^one\ntwo$/,
  } satisfies Partial<Record<Converter, RegExp>>
  const names = Object.keys(CONVERTERS).filter(name => name.startsWith('markdown-to-'))
  t.same(names.sort(), Object.keys(breaks))
  for (const [name, expected] of Object.entries(breaks)) {
    const written = CONVERTERS[name as Converter]('one\ntwo')
    t.match(typeof written === 'string' ? written.trim() : JSON.stringify(written), expected, name)
  }
})

t.test('only a tool that changes something says that nothing would change', async t => {
  for (const connector of CONNECTORS)
    for (const { operation, needsOneOf, annotations, title } of connector.tools) {
      if (needsOneOf === undefined) continue
      const call = exchange(connector, {}, { operation, args: {}, answer: {} })
      const { message } = await call.then(
        () => new Error('It was sent.'),
        (error: Error) => error,
      )
      t.match(message, / Give at least one of these arguments: \w/, `${connector.id}__${operation}`)
      const adds = !annotations.destructiveHint && !annotations.idempotentHint
      const changes = !annotations.readOnlyHint && !adds
      t.equal(message.startsWith('Nothing would change.'), changes, `${connector.id}__${operation}: ${title}`)
    }
})

t.test('every tool that reads a file as a text returns the text of a PDF, and no binary data', async t => {
  startWithoutLoaders()
  const converter = createConverter()
  t.teardown(() => converter.close())
  const pdf = pdfOf('Invoice 42')
  const refused: Record<string, [Buffer, RegExp]> = {
    'binary data': [Buffer.from('PK\u0003\u0004\u0014\0'), /^This file is binary data, not a text/],
    'a PDF without text': [pdfOf(''), /^The text of this PDF cannot be read: it has no text, only images/],
    'an encrypted PDF': [
      pdfOf('Invoice 42', { encrypted: true }),
      /^The text of this PDF cannot be read: it is encrypted/,
    ],
    'a broken PDF': [Buffer.from('%PDF-1.7\n1 0 obj'), /^The text of this PDF cannot be read: it is damaged/],
  }
  const tried: string[] = []
  for (const connector of CONNECTORS)
    for (const { operation, result } of connector.tools) {
      const decodes = result.kind === 'pick' && result.fields.some(field => field.endsWith('|base64-to-text'))
      if (result.kind !== 'text' && !decodes) continue
      tried.push(`${connector.id}__${operation}`)
      const args = argumentsOf(connector.tools, operation)
      const returned = (content: Buffer) => {
        const body = decodes ? { size: 1, data: content.toString('base64url') } : content
        return exchange(connector, {}, { operation, args, answer: { body }, converter })
      }
      const advice = connector.tools.some(({ result }) => result.kind === 'file') ? /\. Use \w+/ : /\. Ask the user/
      for (const [what, [content, message]] of Object.entries(refused)) {
        const { result, error } = await returned(content)
        t.equal(result, undefined, `${connector.id}__${operation}: ${what}`)
        t.match(error, { code: 'upstream_rejected', message })
        t.match(error?.message, advice)
      }
      const { error } = await returned(Buffer.from('Grüße\n\u001b[31mred\u001b[0m\tend'))
      t.equal(error, undefined, `${connector.id}__${operation}`)
      const read = given((await returned(pdf)).result)
      t.same(read, decodes ? { size: 1, data: 'Invoice 42' } : 'Invoice 42', `${connector.id}__${operation}`)
    }
  t.ok(tried.includes('gmail__read_text_attachment') && tried.includes('google-drive__read_text_file'), tried.join())
})

t.test('a PDF that no process can read fails with the reason and what to do', async t => {
  const operation = 'read_text_attachment'
  const args = argumentsOf(gmail.tools, operation)
  const answer = { body: { size: 1, data: pdfOf('Invoice 42').toString('base64url') } }
  const errors = {
    timeout: { code: 'upstream_rejected', message: /it takes too long to read\. Ask the user to open it\./ },
    crashed: { code: 'upstream_rejected', message: /it needs too much memory to read\. Ask the user to open it\./ },
    failed: { code: 'upstream_rejected', message: /it is damaged\./ },
    full: { code: 'overloaded', message: /^Too many files are being read now\. Retry/ },
  } as const
  for (const [reason, expected] of Object.entries(errors)) {
    const run = () => Promise.reject(new PoolError(reason as keyof typeof errors, reason))
    t.match((await exchange(gmail, {}, { operation, args, answer, converter: { run } })).error, expected, reason)
  }
  const long = { run: async () => ({ fault: 'long' }) as never }
  const { error } = await exchange(gmail, {}, { operation, args, answer, converter: long })
  t.match(error, { code: 'upstream_rejected', message: /it has too many pages\./ })
})

/** An argument for each that a tool requires. */
function argumentsOf(tools: readonly HttpTool[], operation: string) {
  const required = tools.find(tool => tool.operation === operation)?.input.required ?? []
  return Object.fromEntries(required.map(name => [name, '1']))
}

/** The members of a request that are filled with an argument as it was given, with those above them. */
function unconverted(template: unknown, members: readonly string[] = [], siblings: unknown = {}): Sent[] {
  if (typeof template === 'string') return /^\{[a-z_]+\}$/.test(template) ? [{ members, siblings }] : []
  if (typeof template !== 'object' || template === null || '$convert' in template) return []
  return Object.entries(template).flatMap(([name, member]) =>
    unconverted(member, name.startsWith('$') ? members : [...members, name], template),
  )
}

interface Sent {
  members: readonly string[]
  /** The object that the last member is in. */
  siblings: unknown
}

/** Why a provider reads a member as HTML; undefined if it does not. */
function htmlOf({ members, siblings }: Sent): string | undefined {
  const name = members.at(-1) ?? ''
  const { contentType, representation } = siblings as { contentType?: unknown; representation?: unknown }
  if (name === 'content' && /^html$/i.test(String(contentType))) return 'its contentType'
  if (name === 'value' && ['storage', 'atlas_doc_format'].includes(String(representation))) return 'its representation'
  return /html|^hs_\w+_body$/.test(name) ? 'its name' : undefined
}

t.test('no argument lands in HTML as it was given, unless it is HTML', async t => {
  for (const { id, tools } of CONNECTORS)
    for (const tool of tools) {
      const sent = requestsOf(tool).flatMap(({ body = {} }) => unconverted(body))
      for (const { members, siblings } of sent) {
        const reason = htmlOf({ members, siblings })
        // Resend takes the HTML of an email.
        if (id !== 'resend') t.equal(reason, undefined, `${id}__${tool.operation} sends ${members.join('.')} as text`)
      }
    }
})

/** The names of the fields that a tool returns converted, such as `description|adf-to-markdown`. */
function readAsMarkdown({ result }: HttpTool): string[] {
  if (result.kind !== 'pick') return []
  return result.fields
    .filter(field => /\|(adf|html|mrkdwn|body)-to-markdown$/.test(field))
    .map(field => field.replace(/\|.*/, '').split('.').at(-1) ?? '')
}

t.test(
  'a tool that replaces a rich text by Markdown first reads what the text has, and can be told to lose it',
  async t => {
    const rich = ['markdown-to-adf', 'markdown-to-asana', 'markdown-to-html']
    const guarded: string[] = []
    for (const { id, tools } of CONNECTORS)
      for (const { operation, annotations, request, steps = [], input } of tools) {
        const sent = JSON.stringify(request.body ?? '')
        if (!annotations.destructiveHint || !rich.some(name => sent.includes(`"$convert":"${name}"`))) continue
        t.ok(
          steps.some(({ guard }) => guard?.unless === 'replace_all'),
          `${id}__${operation}`,
        )
        t.type(input.properties.replace_all, 'object', `${id}__${operation}`)
        guarded.push(`${id}__${operation}`)
      }
    t.ok(guarded.includes('jira__update_issue') && guarded.includes('confluence__update_page'), guarded.join())
  },
)

t.test('what a connector reads as Markdown, it writes as Markdown', async t => {
  for (const { id, tools } of CONNECTORS) {
    const fields = new Set(tools.flatMap(readAsMarkdown))
    for (const tool of tools)
      for (const { members } of requestsOf(tool).flatMap(({ body = {} }) => unconverted(body))) {
        const name = members.at(-1) ?? ''
        t.notOk(fields.has(name), `${id}__${tool.operation} writes ${members.join('.')} as it was given`)
      }
  }
})

/** The values of a template and of all its parts, by the name of the member that has them. */
function partsOf(template: unknown, member = ''): [member: string, value: unknown][] {
  const parts = Array.isArray(template)
    ? template.flatMap(item => partsOf(item, member))
    : Object.entries(Object(typeof template === 'object' ? template : {})).flatMap(([name, part]) =>
        partsOf(part, name),
      )
  return [[member, template], ...parts]
}

/** What the tools that change something send, by the name of the tool. */
function sentBy(chosen: (tool: HttpTool) => boolean): [name: string, parts: [member: string, value: unknown][]][] {
  return CONNECTORS.flatMap(({ id, tools }) =>
    tools
      .filter(chosen)
      .map(tool => [`${id}__${tool.operation}`, requestsOf(tool).flatMap(({ query, body }) => partsOf([query, body]))]),
  )
}

/** Lists of objects that are replaced as a whole, and why nothing is lost. */
const REPLACED = {
  github__commit_files: 'it replaces no list; the mode of a file is its argument',
}

t.test('an update that replaces a list of objects keeps what its members carry at the provider', async t => {
  const lists = sentBy(({ annotations }) => annotations.destructiveHint === true).flatMap(([name, parts]) =>
    parts.flatMap(([member, value]) => {
      const { $each, part, keeping } = Object(value)
      return $each !== undefined && typeof part === 'object' ? [{ name, member, keeping }] : []
    }),
  )
  t.ok(lists.length >= 5)
  for (const { name, member, keeping } of lists)
    t.ok(keeping !== undefined || Object.hasOwn(REPLACED, name), `${name} sends ${member}`)
})

/** What changes always say with yes or no, by its member. None of it is a choice that people would make. */
const SETTLED = {
  attendeesOmitted: 'the answer to an invitation names one of the guests',
  completed: 'the tool is named after it',
  trashed: 'the tools are named after it',
  submit: 'the tools are named after it',
  force: 'a branch that somebody else changed is not overwritten',
  return_run_details: 'it is about the answer only',
  supportsAllDrives: 'shared drives are found like others',
}

t.test('no change makes a silent choice for people: an argument decides, and its default is described', async t => {
  const settled = new Set<string>()
  for (const [name, parts] of sentBy(({ annotations }) => !annotations.readOnlyHint))
    for (const [member, value] of parts)
      if (typeof value === 'boolean' && settled.add(member))
        t.ok(Object.hasOwn(SETTLED, member), `${name} always sends ${member}: ${value}`)
  t.same([...settled].sort(), Object.keys(SETTLED).sort())
  for (const { id, tools } of CONNECTORS)
    for (const { operation, input } of tools)
      for (const [name, { default: value, description = '' }] of Object.entries(input.properties))
        if (value !== undefined)
          t.match(description, /\bdefault\b/i, `${id}__${operation} says what ${name} is without it`)
})

t.test('every log is read from its end, and page by page', async t => {
  const logs = CONNECTORS.flatMap(({ tools }) =>
    tools.filter(({ request: { method, path } }) => method === 'GET' && /\b(logs?|trace)$/.test(path)),
  )
  t.ok(logs.length >= 4)
  for (const { operation, result, input } of logs) {
    t.ok(['log', 'file'].includes(result.kind), operation)
    if (result.kind === 'log') t.match(input.properties, { from: { default: 'end' }, cursor: {} }, operation)
  }
})

t.test("the number of tools that are checked against their provider's own description does not fall", async t =>
  checkCoverage(t),
)
