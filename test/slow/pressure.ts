import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { mintApiKey } from '../../services/identity/key-format.ts'

/** The kinds of requests. `stranger` uses an unknown key. */
export type Kind = 'list' | 'read' | 'write' | 'keyed-write' | 'stranger'

export interface Sent {
  kind: Kind
  /** When it was sent and when it was answered, in milliseconds of `performance.now()`. */
  from: number
  to: number
  /** `ok`, the code of an error, or `no answer` with the cause. */
  outcome: string
}

/** Longer than any request may take. Later answers do not count. */
const GIVE_UP_MS = 30_000

const PARAMS: Record<Kind, () => object> = {
  list: () => ({ method: 'tools/list' }),
  stranger: () => ({ method: 'tools/list' }),
  read: () => call('memory__list_memories', {}),
  write: () => call('memory__remember', { memory: `Written under pressure ${randomUUID()}.` }),
  'keyed-write': () =>
    call('memory__remember', { memory: 'Written once.' }, { 'connector-gateway/idempotency-key': randomUUID() }),
}

function call(name: string, args: object, meta?: object): object {
  return { method: 'tools/call', params: { name, arguments: args, ...(meta && { _meta: meta }) } }
}

/** Sends one request and returns its outcome. Rejects if no answer comes. */
export async function send(url: string, key: string, kind: Kind): Promise<Sent & { headers: Headers }> {
  const from = performance.now()
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'x-api-key': kind === 'stranger' ? mintApiKey('development') : key,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...PARAMS[kind]() }),
    signal: AbortSignal.timeout(GIVE_UP_MS),
  })
  const body = (await response.json()) as {
    error?: { code: string }
    result?: { isError?: boolean; content?: { text: string }[] }
  }
  const failed = body.result?.isError === true ? JSON.parse(body.result.content?.[0]?.text ?? '{}').error : body.error
  return { kind, from, to: performance.now(), outcome: failed?.code ?? 'ok', headers: response.headers }
}

/** Callers that send one request after the other until stopped. `sent` grows with every answer. */
interface Pressure {
  readonly sent: Sent[]
  /** Stops new requests and resolves when those in flight are answered. */
  stop(): Promise<void>
}

/** Starts `width` callers for each kind, each with a short pause between its requests. */
export function pressure(url: string, key: string, kinds: Kind[], width = 3): Pressure {
  const sent: Sent[] = []
  let stopped = false

  async function caller(kind: Kind): Promise<void> {
    while (!stopped) {
      const from = performance.now()
      try {
        sent.push(await send(url, key, kind))
      } catch (error) {
        sent.push({ kind, from, to: performance.now(), outcome: `no answer: ${error}` })
      }
      await delay(20)
    }
  }

  const callers = kinds.flatMap(kind => Array.from({ length: width }, () => caller(kind)))
  return {
    sent,
    async stop() {
      stopped = true
      await Promise.all(callers)
    },
  }
}

/** Counts the requests by kind and outcome. */
export function tally(sent: Sent[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { kind, outcome } of sent) counts[`${kind} ${outcome}`] = (counts[`${kind} ${outcome}`] ?? 0) + 1
  return counts
}

/** Whether a request has the outcome that its kind has without a fault. */
export function isWell({ kind, outcome }: Sent): boolean {
  return outcome === (kind === 'stranger' ? 'invalid_api_key' : 'ok')
}

/** Returns the longest duration of these requests, in milliseconds. */
export function longest(sent: Sent[]): number {
  return Math.round(Math.max(0, ...sent.map(({ from, to }) => to - from)))
}
