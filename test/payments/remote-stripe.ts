import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Stripe from 'stripe'
import type { Test } from 'tap'
import type { MemoryStripe } from './memory-stripe.ts'

/** A request to Stripe: `refunds.list`, and the arguments of the SDK's function. */
interface RemoteCall {
  path: string
  args: unknown[]
}

/** Where a request to Stripe is: received, carried out, answered. */
export type Stage = 'received' | 'done' | 'answered'

/**
 * Serves Stripe in memory to other processes. `at` sees each stage of a request and holds it until it resolves; with `lost`,
 * the request goes no further.
 */
export async function serveStripe(
  t: Test,
  { client }: MemoryStripe,
  at: (path: string, stage: Stage) => Promise<'lost' | undefined>,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const { path, args } = JSON.parse(await text(request)) as RemoteCall
    if ((await at(path, 'received')) === 'lost') return
    const found = path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], client)
    const result: unknown = await (found as (...args: unknown[]) => unknown)(...args)
    await at(path, 'done')
    response.end(JSON.stringify(path.endsWith('.list') ? (result as { data: unknown }).data : result))
    await at(path, 'answered')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The functions of the SDK that payments use, carried out by `serveStripe`. */
export function remoteStripe(url: string): Stripe {
  async function call(path: string, args: unknown[]): Promise<unknown> {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify({ path, args } satisfies RemoteCall) })
    return response.json()
  }
  const one =
    (path: string) =>
    (...args: unknown[]) =>
      call(path, args)
  const list =
    (path: string) =>
    (...args: unknown[]) => ({
      // biome-ignore lint/suspicious/noThenProperty: the SDK's lists are promises too.
      then: (done: (page: object) => unknown, failed: (error: unknown) => unknown) =>
        call(path, args).then(data => done({ data }), failed),
      async *[Symbol.asyncIterator]() {
        yield* (await call(path, args)) as unknown[]
      },
    })
  const both = (path: string) => ({ retrieve: one(`${path}.retrieve`), list: list(`${path}.list`) })
  const client = {
    webhooks: new Stripe('sk_test_unused').webhooks,
    checkout: { sessions: { ...both('checkout.sessions'), create: one('checkout.sessions.create') } },
    paymentIntents: both('paymentIntents'),
    charges: both('charges'),
    refunds: both('refunds'),
    disputes: both('disputes'),
    events: both('events'),
  }
  return client as unknown as Stripe
}
