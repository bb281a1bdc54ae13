import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import type { Clock } from '../../schemas/primitives/time.ts'
import type { StripeSettings } from '../../services/payments/money-settings.ts'
import { API_VERSION, type StripeObject, stripeAccount } from './account.ts'
import { ApiFailure } from './api-failure.ts'
import { stripeBuyer } from './buyer.ts'
import { readParameters } from './check-parameters.ts'
import { type Answer, stripeRequests } from './requests.ts'

/** What happens to the next request: an error, a closed connection or no answer, before or after it took effect. */
type Fault = '500' | '500 done' | 'cut' | 'cut done' | 'slow' | 'slow done'

interface Saved {
  /** The path and the parameters. */
  fingerprint: string
  answer: { status: number; body: object }
}

/**
 * Stripe on loopback, for its SDK. It rejects what Stripe rejects: a wrong key, another API version, bodies that are no
 * forms, parameters that the SDK's types do not have, invalid states, and a reused idempotency key with other parameters.
 * A repeated key gets the saved answer, 500 included, and 409 while its first request is slow.
 *
 * - `settings`: for `Settings.stripe`
 * - `account`: the objects, and `events`, the events in their order
 * - `buyer`: pays, saves cards, refunds, disputes
 * - `fault(…)`: what happens to the next request
 * - `finish()`: slow requests have ended. Nobody gets their answers, but a repeated key does
 * - `requests`: `POST checkout/sessions`, … in their order
 * - `webhook(event, …)`: the body and headers of an event, signed now or at another time. The test delivers it: late, twice,
 *   in another order, or never
 */
export async function stripeDouble(t: Test, { clock, livemode = false }: { clock: Clock; livemode?: boolean }) {
  const secretKey = `sk_${livemode ? 'live' : 'test'}_${randomBytes(12).toString('hex')}`
  const webhookSecret = `whsec_${randomBytes(24).toString('hex')}`
  const account = stripeAccount({ clock, livemode })
  const answers: Partial<Record<string, Answer>> = stripeRequests(account)
  const saved = new Map<string, Saved>()
  const inUse = new Set<string>()
  const faults: Fault[] = []
  const requests: string[] = []

  function run(route: Route, form: string): { status: number; body: object } {
    try {
      const parameters = readParameters(route.name, form)
      const answer = answers[route.name]
      if (answer === undefined) throw new TypeError(`The double does not carry out ${route.name}`)
      return { status: 200, body: structuredClone(answer(parameters, route.id, route.part)) }
    } catch (error) {
      if (error instanceof ApiFailure) return { status: error.status, body: { error: error.body } }
      throw error
    }
  }

  /** Carries out a request once per idempotency key. */
  function respond(request: IncomingMessage, form: string) {
    const route = routeOf(request)
    requests.push(route.name)
    const refusal = refusalOf(request, secretKey)
    if (refusal !== undefined) return { status: refusal.status, body: { error: refusal.body } }
    const key = request.method === 'POST' ? request.headers['idempotency-key'] : undefined
    const fingerprint = `${request.url} ${form}`
    if (inUse.has(String(key))) return IN_USE
    const known = key === undefined ? undefined : saved.get(String(key))
    if (known !== undefined && known.fingerprint !== fingerprint) return REUSED
    if (known !== undefined) return known.answer
    const fault = faults.shift()
    if (fault === 'cut') return 'cut'
    if (fault?.startsWith('slow') && key !== undefined) inUse.add(String(key))
    if (fault === 'slow') return 'none'
    const done = fault === '500' ? FAILED : run(route, form)
    const answer = fault === '500 done' ? FAILED : done
    // Stripe saves nothing of a request that it did not begin.
    if (key !== undefined && answer.status !== 400) saved.set(String(key), { fingerprint, answer })
    if (fault === 'cut done') return 'cut'
    return fault === 'slow done' ? 'none' : answer
  }

  const server = createServer(async (request, response) => {
    const body = await text(request)
    const answer = respond(request, request.method === 'POST' ? body : (request.url?.split('?')[1] ?? ''))
    if (answer === 'none') return
    if (answer === 'cut') return request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json', 'request-id': `req_${requests.length}` })
    response.end(JSON.stringify(answer.body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })

  const apiBase = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings: StripeSettings = {
    secretKey,
    livemode,
    webhookSecrets: [webhookSecret],
    apiBase,
    automaticTax: false,
  }
  return {
    settings,
    account,
    requests,
    buyer: stripeBuyer(account),
    fault: (fault: Fault) => faults.push(fault),
    finish: () => inUse.clear(),
    webhook(event: StripeObject, { at = account.seconds(), secret = webhookSecret } = {}) {
      const payload = JSON.stringify(event)
      const signature = createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex')
      const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` }
      return { method: 'POST', url: '/webhooks/stripe', headers, payload } as const
    },
  }
}

const FAILED = { status: 500, body: { error: { type: 'api_error', message: 'The double failed, as the test said.' } } }
const REUSED = {
  status: 400,
  body: { error: { type: 'idempotency_error', message: 'This key was used with other parameters.' } },
}
const IN_USE = {
  status: 409,
  body: { error: { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'This key is in use.' } },
}

interface Route {
  name: string
  id: string
  part: string
}

/** The name of a request: `GET customers/:id/tax_ids`. */
function routeOf({ method, url = '' }: IncomingMessage): Route {
  const [, , ...path] = (url.split('?')[0] ?? '').split('/').map(decodeURIComponent)
  const nested = path[0] === 'checkout' ? 1 : 0
  const [id = '', , part = ''] = path.slice(1 + nested)
  const names = path.map((name, at) => (at === 1 + nested ? ':id' : at === 3 + nested ? ':part' : name))
  return { name: `${method} ${names.join('/')}`, id, part }
}

function refusalOf({ method, headers }: IncomingMessage, secretKey: string): ApiFailure | undefined {
  const refuse = (status: number, message: string) => new ApiFailure(status, { type: 'invalid_request_error', message })
  if (headers.authorization !== `Bearer ${secretKey}`) return refuse(401, 'Invalid API key')
  if (headers['stripe-version'] !== API_VERSION) return refuse(400, `Invalid version ${headers['stripe-version']}`)
  if (method === 'POST' && !isForm(headers)) return refuse(400, 'The body must be a form')
  return undefined
}

function isForm(headers: IncomingHttpHeaders): boolean {
  return headers['content-type'] === 'application/x-www-form-urlencoded'
}
