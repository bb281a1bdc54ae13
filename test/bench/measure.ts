import { load, type Measured } from './load.ts'
import type { ServerProcess } from './server-process.ts'
import type { Question, ServerName, Subject } from './subject.ts'
import { BARE } from './subjects.ts'

/** One line of the table: medians over the rounds. */
export interface Line {
  subject: Subject
  /** Microseconds of CPU time per request, at the steady rate. */
  cpu: number
  /** The CPU time divided by that of the baseline in the same round. */
  ratio: number
  /** The same at full load, and the requests per second. */
  full: { cpu: number; ratio: number; perSecond: number }
  /** Bytes of the answer's body on the wire. */
  bytes: number
}

export interface MeasureOptions {
  rounds: number
  connections: number
  /** Requests per second of the steady part. */
  rate: number
  /** Milliseconds per subject: of a round at the steady rate, of a round at full load, and of the warm-up. */
  steady: number
  full: number
  warmUp: number
}

/** The running servers by name. */
type Servers = ReadonlyMap<ServerName, ServerProcess>

/** Measures all subjects in turn, round after round, so that a temporary slowdown of the machine affects them all. */
export async function measure(
  subjects: readonly Subject[],
  servers: Servers,
  options: MeasureOptions,
): Promise<Line[]> {
  const { connections, rate, steady, full, warmUp } = options
  const rounds = new Map<Subject, { steady: Measured[]; full: Measured[] }>()
  const bytes = new Map<Subject, number>()
  const ask = (subject: Subject, milliseconds: number, rate?: number) => {
    const server = serverOf(subject, servers)
    const request = (connection: number) => toBytes(subject, server, connection + 1)
    return load({ port: server.port, request, connections, milliseconds, rate, cpu: server.cpu })
  }

  for (const subject of subjects) {
    rounds.set(subject, { steady: [], full: [] })
    if (subject.stores !== undefined) await storeAnswer(subject.stores, subject, servers)
    bytes.set(subject, await check(subject, serverOf(subject, servers)))
    await ask(subject, warmUp)
  }
  for (let round = 0; round < options.rounds; round++) {
    for (const [subject, results] of rounds) {
      results.steady.push(await ask(subject, steady, rate))
      results.full.push(await ask(subject, full))
    }
  }

  return [...rounds].map(([subject, results]) => {
    const cpu = results.steady.map(cpuOf)
    const against = rounds.get(subject.against ?? BARE)
    return {
      subject,
      cpu: median(cpu),
      ratio: medianRatio(results.steady, against?.steady ?? []),
      full: {
        cpu: median(results.full.map(cpuOf)),
        ratio: medianRatio(results.full, against?.full ?? []),
        perSecond: median(results.full.map(({ requests, seconds }) => requests / seconds)),
      },
      bytes: bytes.get(subject) ?? 0,
    }
  })
}

function medianRatio(measured: readonly Measured[], against: readonly Measured[]): number {
  return median(
    measured.map((result, round) => {
      const other = against[round]
      return other === undefined ? Number.NaN : cpuOf(result) / cpuOf(other)
    }),
  )
}

function cpuOf({ cpu, requests }: Measured): number {
  return cpu / requests
}

function serverOf({ server }: Question, servers: Servers): ServerProcess {
  const process = servers.get(server)
  if (process === undefined) throw new Error(`The server ${server} was not started.`)
  return process
}

function headersOf({ headers, holder, token }: Question, server: ServerProcess): Record<string, string> {
  const { keys, tokens, headers: own } = server
  // Without a key, the request has the same length as with one.
  const credential = token === undefined ? keys?.[holder] : tokens?.[token]
  return { ...headers, ...own, authorization: `Bearer ${credential ?? 'k'.repeat(57)}` }
}

function toBytes(question: Question, server: ServerProcess, id: number): Buffer {
  const { method = 'POST', path = '/mcp' } = question
  const body = question.body?.(id)
  const headers = {
    host: `127.0.0.1:${server.port}`,
    ...headersOf(question, server),
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${body ?? ''}`)
}

/** Checks the answer and returns its length on the wire. */
async function check(subject: Subject, server: ServerProcess): Promise<number> {
  const { text, length } = await answerTo(subject, server)
  subject.check(JSON.parse(messageIn(text)))
  return length
}

const DATA = 'data: '

/** Returns the message of an answer. In a stream, it is in the last event. */
function messageIn(text: string): string {
  const last = text.split('\n').findLast(line => line.startsWith(DATA))
  return last?.slice(DATA.length) ?? text
}

async function answerTo(question: Question, server: ServerProcess): Promise<{ text: string; length: number }> {
  const { method = 'POST', path = '/mcp' } = question
  const body = question.body?.(1) ?? null
  const headers = { 'accept-encoding': 'identity', ...headersOf(question, server) }
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers, body })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return { text, length: Number(answer.headers.get('content-length') ?? Buffer.byteLength(text)) }
}

/** Stores the answer of one server in another, which then sends the same bytes. */
async function storeAnswer(from: Question, to: Question, servers: Servers): Promise<void> {
  const { text } = await answerTo(from, serverOf(from, servers))
  const { ok, status } = await fetch(`http://127.0.0.1:${serverOf(to, servers).port}${to.path}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream' },
    body: text,
  })
  if (!ok) throw new Error(`PUT ${to.path}: ${status}`)
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}
