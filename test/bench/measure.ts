import { load, type Measured } from './load.ts'
import type { ServerProcess } from './server-process.ts'
import { BARE, type ServerName, type Subject } from './subjects.ts'

/** One line of the table: medians over the rounds. */
export interface Line {
  subject: Subject
  /** Microseconds of processor time a request, at the steady rate. */
  cpu: number
  /** The same in that of the bare route of the same round. */
  ratio: number
  /** Microseconds of processor time a request, and requests a second, when asked as fast as it answers. */
  full: { cpu: number; perSecond: number }
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

export type Servers = Record<ServerName, ServerProcess>

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
    const server = servers[subject.server]
    const request = toBytes(subject, server)
    return load({ port: server.port, request, connections, milliseconds, rate, cpu: server.cpu })
  }

  for (const subject of subjects) {
    rounds.set(subject, { steady: [], full: [] })
    bytes.set(subject, await check(subject, servers[subject.server]))
    await ask(subject, warmUp)
  }
  for (let round = 0; round < options.rounds; round++) {
    for (const [subject, results] of rounds) {
      results.steady.push(await ask(subject, steady, rate))
      results.full.push(await ask(subject, full))
    }
  }

  const bare = (rounds.get(BARE)?.steady ?? []).map(cpuOf)
  return [...rounds].map(([subject, results]) => {
    const cpu = results.steady.map(cpuOf)
    return {
      subject,
      cpu: median(cpu),
      ratio: median(cpu.map((used, round) => used / (bare[round] ?? Number.NaN))),
      full: {
        cpu: median(results.full.map(cpuOf)),
        perSecond: median(results.full.map(({ requests, seconds }) => requests / seconds)),
      },
      bytes: bytes.get(subject) ?? 0,
    }
  })
}

function cpuOf({ cpu, requests }: Measured): number {
  return cpu / requests
}

function headersOf({ headers, size, token }: Subject, { keys, tokens }: ServerProcess): Record<string, string> {
  // Where no key is asked for, the request is as long as where one is.
  const credential = token === undefined ? keys?.[size] : tokens?.[token]
  return { ...headers, authorization: `Bearer ${credential ?? 'k'.repeat(57)}` }
}

function toBytes(subject: Subject, server: ServerProcess): Buffer {
  const headers = {
    host: `127.0.0.1:${server.port}`,
    ...headersOf(subject, server),
    'content-length': String(Buffer.byteLength(subject.body)),
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST /mcp HTTP/1.1\r\n${head.join('')}\r\n${subject.body}`)
}

/** The length of the answer on the wire, when it is the right one. */
async function check(subject: Subject, server: ServerProcess): Promise<number> {
  const headers = { 'accept-encoding': 'identity', ...headersOf(subject, server) }
  const answer = await fetch(`http://127.0.0.1:${server.port}/mcp`, { method: 'POST', headers, body: subject.body })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${subject.title}: ${answer.status} ${text}`)
  subject.check(JSON.parse(text))
  return Number(answer.headers.get('content-length') ?? Buffer.byteLength(text))
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}
