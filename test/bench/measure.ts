import { load, type Measured } from './load.ts'
import type { ServerProcess } from './server-process.ts'
import type { Question, ServerName, Subject } from './subject.ts'
import { BARE } from './subjects.ts'

/** One line of the table: medians over the rounds. */
export interface Line {
  subject: Subject
  /** Microseconds of processor time a request, at the steady rate. */
  cpu: number
  /** The same in that of the line it is measured against, of the same round. */
  ratio: number
  /** Microseconds of processor time a request, and requests a second, when asked as fast as it answers. */
  full: { cpu: number; ratio: number; perSecond: number }
  /** Bytes of the answer's body on the wire. */
  bytes: number
}

export interface MeasureOptions {
  rounds: number
  connections: number
  /** Requests a second of the steady part. */
  rate: number
  /** Milliseconds that one round of one subject takes at the steady rate, at full load, and once before all rounds. */
  steady: number
  full: number
  warmUp: number
}

/** Those that are asked for anything. */
type Servers = ReadonlyMap<ServerName, ServerProcess>

/** Measures all subjects in turn, round after round, so that what slows the machine for a while slows them all. */
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
    if (subject.stores !== undefined) await handOver(subject.stores, subject, servers)
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
  const found = servers.get(server)
  if (found === undefined) throw new Error(`No ${server} was started.`)
  return found
}

function headersOf({ headers, holder, token }: Question, server: ServerProcess): Record<string, string> {
  const { keys, tokens, headers: own } = server
  // Where no key is asked for, the request is as long as where one is.
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

/** The length of the answer on the wire, when it is the right one. */
async function check(subject: Subject, server: ServerProcess): Promise<number> {
  const { text, length } = await answerTo(subject, server)
  subject.check(JSON.parse(messageIn(text)))
  return length
}

const DATA = 'data: '

/** An answer that is a stream has the message in its last event. */
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

/** Gives a server the bytes that another answers, to send them as they are. */
async function handOver(from: Question, to: Question, servers: Servers): Promise<void> {
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
