import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import type { Test } from 'tap'
import { parseAllowList } from '../lib/egress/allow-list.ts'
import { createEgress, type EgressOptions } from '../lib/egress/create-egress.ts'
import { type Egress, EgressError } from '../lib/egress/egress.ts'
import { rejectionOf } from './rejection.ts'
import { localLookup } from './settings.ts'

/** An egress that may reach this machine, unless configured otherwise; closed with the test. */
export function egressOf(t: Test, options: Partial<EgressOptions> = {}): Egress {
  const egress = createEgress({ allow: parseAllowList([]), allowLoopback: true, lookup: localLookup, ...options })
  t.teardown(() => egress.close())
  return egress
}

/** A server on this machine that counts what reaches it. */
export interface Upstream {
  /** `http://127.0.0.1:<port>` */
  origin: string
  port: number
  connections: number
  /** The received requests with their whole bodies; empty for raw servers. */
  requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[]
}

/** An HTTP server on 127.0.0.1 that ends with the test. */
export async function upstream(
  t: Pick<Test, 'teardown'>,
  answer: (request: IncomingMessage, response: ServerResponse) => unknown = (_request, response) => response.end('ok'),
): Promise<Upstream> {
  const requests: Upstream['requests'] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url = '', headers } = request
    requests.push({ method, url, headers, body: `${Buffer.concat(chunks)}` })
    answer(request, response)
  })
  return listen(t, server, requests)
}

/** A server that handles the bytes of each connection itself, after the first ones arrived. */
export async function rawUpstream(t: Test, speak: (socket: Socket) => void, host = '127.0.0.1'): Promise<Upstream> {
  const server = createTcpServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => speak(socket))
  })
  return listen(t, server, [], host)
}

async function listen(
  t: Pick<Test, 'teardown'>,
  server: Server,
  requests: Upstream['requests'],
  host = '127.0.0.1',
): Promise<Upstream> {
  const sockets = new Set<Socket>()
  const reached: Upstream = { origin: '', port: 0, connections: 0, requests }
  server.on('connection', (socket: Socket) => {
    reached.connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, host)
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  reached.port = (server.address() as AddressInfo).port
  reached.origin = `http://127.0.0.1:${reached.port}`
  return reached
}

/** The EgressError of a failed request. */
export const failureOf = (promise: Promise<unknown>) => rejectionOf(promise, EgressError)
