import { isDeepStrictEqual } from 'node:util'
import { ACCOUNTS, CALLED_ISSUE, ENTRIES, ISSUE, PICKED, PROVIDER_ANSWER } from './connectors.ts'
import { asModern, HEADERS, rpc } from './messages.ts'
import { REMOTE_SUBJECTS } from './remote-subjects.ts'
import type { Answer, Question, Subject } from './subject.ts'
import { CALL_TEXT, CALLED, type Size } from './tools.ts'

const GZIP = { 'accept-encoding': 'gzip' }

const call = {
  holder: 10,
  headers: HEADERS,
  body: rpc('tools/call', { name: CALLED, arguments: { text: CALL_TEXT } }),
  check({ result }) {
    if (JSON.stringify(result?.content) !== JSON.stringify([{ type: 'text', text: CALL_TEXT }]))
      throw new Error(`Not the tool's answer: ${JSON.stringify(result)}`)
  },
} satisfies Partial<Subject>

const modernCall = { ...call, ...asModern({ name: CALLED, arguments: { text: CALL_TEXT } }) } satisfies Partial<Subject>

function list(size: Size) {
  return {
    holder: size,
    headers: HEADERS,
    body: rpc('tools/list', {}),
    check({ result }) {
      if (result?.tools?.length !== size) throw new Error(`Not ${size} tools but ${result?.tools?.length}`)
    },
  } satisfies Partial<Subject>
}

const index = {
  server: 'info',
  method: 'GET',
  path: '/connectors',
  holder: 'connected',
  headers: { accept: 'application/json' },
} satisfies Question

function checkIndex({ connectors = [] }: Answer): void {
  const accounts = connectors.flatMap(({ accounts }) => accounts)
  if (connectors.length !== ENTRIES || accounts.length !== ACCOUNTS)
    throw new Error(
      `Not ${ENTRIES} entries with ${ACCOUNTS} accounts, but ${connectors.length} with ${accounts.length}`,
    )
}

const providerCall = {
  holder: 'connected',
  headers: HEADERS,
  body: rpc('tools/call', { name: CALLED_ISSUE, arguments: ISSUE }),
} satisfies Partial<Subject>

/** The default baseline: a POST of the same bytes, parsed by Fastify, with a static answer. */
export const BARE: Subject = { ...call, title: 'bare Fastify route', server: 'bare' }

/** A call to this server at the default log level. */
export const CALL: Subject = { ...call, title: 'tools/call', server: 'info', atMost: 1.75, atMostFull: 2.5 }

/** The baseline of the connector index: the same bytes, stored. */
const STORED_INDEX: Subject = {
  ...index,
  title: 'bare Fastify route, the bytes of GET /connectors',
  server: 'bare',
  path: '/stored',
  stores: index,
  check: checkIndex,
}

/** The baseline of a call through a connector: the same request to the same provider, with its answer passed on. */
const BARE_REQUEST: Subject = {
  ...providerCall,
  title: 'bare Fastify route that asks the provider with undici',
  server: 'bare',
  path: '/issue',
  check(answer) {
    if (JSON.stringify(answer) !== PROVIDER_ANSWER) throw new Error(`Not the provider's: ${JSON.stringify(answer)}`)
  },
}

/** All lines of the benchmark, in the order of its rounds. */
const SUBJECTS: readonly Subject[] = [
  { ...call, title: 'static answer of node:http', server: 'http', check() {} },
  BARE,
  CALL,
  { ...modernCall, title: 'tools/call, 2026-07-28', server: 'info', atMost: 1.85 },
  { ...call, title: 'tools/call, session JWT', server: 'info', token: 'session', atMost: 2.2 },
  { ...call, title: 'tools/call, MCP OAuth token', server: 'info', token: 'mcp', atMost: 2.2 },
  { ...call, title: 'tools/call, LOG_LEVEL=warn', server: 'warn', aim: 1.6 },
  { ...modernCall, title: 'tools/call, 2026-07-28, LOG_LEVEL=warn', server: 'warn' },
  { ...list(10), title: 'tools/list, 10 tools', server: 'info' },
  { ...list(10), title: 'tools/list, 10 tools, gzip', server: 'info', headers: { ...HEADERS, ...GZIP } },
  { ...list(100), title: 'tools/list, 100 tools', server: 'info' },
  { ...list(100), title: 'tools/list, 100 tools, gzip', server: 'info', headers: { ...HEADERS, ...GZIP } },
  { ...list(500), title: 'tools/list, 500 tools', server: 'info', atMost: 2.1 },
  { ...list(500), title: 'tools/list, 500 tools, gzip', server: 'info', headers: { ...HEADERS, ...GZIP }, atMost: 1.5 },
  STORED_INDEX,
  {
    ...index,
    title: `GET /connectors, ${ENTRIES} entries, ${ACCOUNTS} accounts`,
    against: STORED_INDEX,
    atMost: 5,
    check: checkIndex,
  },
  BARE_REQUEST,
  {
    ...providerCall,
    title: 'tools/call through a connector',
    server: 'info',
    against: BARE_REQUEST,
    atMost: 1.9,
    check({ result }) {
      if (!isDeepStrictEqual(result?.structuredContent, PICKED))
        throw new Error(`Not the connector's answer: ${JSON.stringify(result)}`)
    },
  },
  ...REMOTE_SUBJECTS,
  { ...call, title: 'SDK server per request: tools/call', server: 'sdk' },
  { ...list(500), title: 'SDK server per request: tools/list, 500 tools', server: 'sdk' },
]

/** Returns the lines whose title contains the text, and their baselines. */
export function selectSubjects(text = ''): readonly Subject[] {
  const wanted = SUBJECTS.filter(({ title }) => title.includes(text))
  const baselines = new Set([BARE, ...wanted.map(({ against }) => against)])
  return SUBJECTS.filter(subject => wanted.includes(subject) || baselines.has(subject))
}
