import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { parse } from 'qs'
import type Stripe from 'stripe'
import type { Test } from 'tap'
import type { MemoryStripe } from './memory-stripe.ts'

/** Serves Stripe in memory by the paths of its API, for the SDK itself. Returns its origin. */
export async function httpStripe(t: Test, { client }: MemoryStripe): Promise<string> {
  async function answer(method: string, url: URL, body: Record<string, unknown>, key: string): Promise<unknown> {
    const [, , ...path] = url.pathname.split('/')
    const query = Object.fromEntries(url.searchParams)
    switch (`${method} ${path.join(' ')}`) {
      case 'POST customers':
        return { id: 'cus_of_the_test', object: 'customer' }
      case 'POST checkout sessions':
        return client.checkout.sessions.create(numbered(body), { idempotencyKey: key })
      case 'GET checkout sessions':
        return pageOf(await client.checkout.sessions.list(query))
      case 'GET refunds':
        return pageOf(await client.refunds.list(query))
      case 'GET disputes':
        return pageOf(await client.disputes.list(query))
      case 'GET events':
        return pageOf(await client.events.list())
      default:
        return client.checkout.sessions.retrieve(path[2] ?? '')
    }
  }

  const server = createServer(async (request, response) => {
    const sent = parse(await text(request)) as Record<string, unknown>
    const url = new URL(request.url ?? '', 'http://localhost')
    const key = String(request.headers['idempotency-key'])
    const found = await answer(request.method ?? '', url, sent, key)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(found))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function pageOf({ data }: { data: unknown[] }) {
  return { object: 'list', data, has_more: false, url: '/' }
}

/** A form has only texts. */
function numbered(body: Record<string, unknown>): Stripe.Checkout.SessionCreateParams {
  const text = JSON.stringify(body, (_name, value) => (/^\d+$/.test(String(value)) ? Number(value) : value))
  return JSON.parse(text)
}
