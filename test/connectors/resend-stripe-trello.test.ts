import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import type { ConnectorDefinition } from '../../services/definitions/connector-types.ts'
import { resend } from '../../tools/connectors/resend/connector.ts'
import { stripe } from '../../tools/connectors/stripe/connector.ts'
import { trello } from '../../tools/connectors/trello/connector.ts'
import { failureOf } from '../services/connectors/connector-engine-fixture.ts'
import { callsTo } from './calls.ts'

interface Answer {
  status?: number
  headers?: Record<string, string>
  body: string | object
}

interface Received {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

interface Refused {
  name: string
  connector: ConnectorDefinition
  call: [operation: string, args: Record<string, unknown>]
  answer: Answer
  error: { code: string; message?: RegExp; retryAfter?: number }
}

const ARTIFACT = `art_${'0'.repeat(32)}`

/** A provider on loopback that gives these answers in turn, and calls of a connector's tools to it. */
async function provider(t: Test, connector: ConnectorDefinition, answers: readonly Answer[]) {
  const received: Received[] = []
  const calls = await callsTo(t, connector, async (request, response) => {
    const { method = '', url = '', headers } = request
    const { status = 200, headers: own, body } = answers[received.length] ?? { body: {} }
    received.push({ method, url, headers, body: await text(request) })
    const type = typeof body === 'string' ? 'text/plain' : 'application/json'
    response.writeHead(status, { 'content-type': type, ...own })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  return { received, ...calls }
}

t.test('Trello: a checklist item is completed without naming its checklist', async t => {
  const item = { id: '6'.repeat(24), name: 'Call Ada', state: 'complete', idChecklist: '7'.repeat(24), pos: 1 }
  const { received, data } = await provider(t, trello, [{ body: item }])
  const { pos: _, ...kept } = item
  t.same(await data('update_checklist_item', { card: 'AbCd1234', item: item.id, state: 'complete' }), kept)
  t.match(received, [
    {
      method: 'PUT',
      url: `/cards/AbCd1234/checkItem/${item.id}`,
      headers: {
        authorization: /^OAuth .*oauth_consumer_key=".*oauth_token=".*oauth_signature="/,
        'content-type': 'application/json',
      },
      body: '{"state":"complete"}',
    },
  ])
})

t.test('Trello: a file is attached to a card as a part of a form', async t => {
  const made = {
    id: '8'.repeat(24),
    name: 'notes.md',
    url: 'https://trello.test/a',
    mimeType: 'text/markdown',
    bytes: 7,
  }
  const { received, data, files } = await provider(t, trello, [{ body: { ...made, pos: 1 } }, { body: made }])
  files.set(ARTIFACT, Buffer.from('# Notes'))
  t.same(await data('attach_file', { card: 'AbCd1234', content: ARTIFACT, file_name: 'notes.md' }), made)
  await data('attach_file', { card: 'AbCd1234', content: 'Some text.' })
  const sent: unknown[] = []
  for (const { method, url, headers, body } of received) {
    t.match(headers.authorization, /^OAuth .*oauth_signature="/)
    const form = await new Response(body, { headers: { 'content-type': `${headers['content-type']}` } }).formData()
    const file = form.get('file') as File
    sent.push([method, url, [...form.keys()], file.name, await file.text()])
  }
  t.same(sent, [
    ['POST', '/cards/AbCd1234/attachments', ['file'], 'notes.md', '# Notes'],
    ['POST', '/cards/AbCd1234/attachments', ['file'], 'file.txt', 'Some text.'],
  ])
})

t.test('Resend: attachments are artifacts or texts in base64, or URLs', async t => {
  const { received, data, files } = await provider(t, resend, [{ body: { id: 'e_1' } }])
  files.set(ARTIFACT, Buffer.from([0, 255, 1]))
  const mail = { from: 'a@example.com', to: ['b@example.com'], subject: 'Files', text: 'Here.' }
  const attachments = [
    { filename: 'data.bin', content: ARTIFACT },
    { filename: 'a.txt', content: 'ü' },
    { filename: 'b.pdf', path: 'https://files.test/b.pdf' },
  ]
  t.same(await data('send_email', { ...mail, attachments }), { id: 'e_1' })
  t.same(JSON.parse(received[0]?.body ?? ''), {
    ...mail,
    attachments: [
      { filename: 'data.bin', content: 'AP8B' },
      { filename: 'a.txt', content: 'w7w=' },
      { filename: 'b.pdf', path: 'https://files.test/b.pdf' },
    ],
  })
})

t.test('Trello: a search continues page by page from page 0', async t => {
  const page = (...names: string[]) => ({ body: { cards: names.map(name => ({ id: name, name })) } })
  const { received, data } = await provider(t, trello, [page('a', 'b'), page('c')])
  const first = await data('search_cards', { query: 'invoice', boards: ['5'.repeat(24), '6'.repeat(24)], limit: 2 })
  t.match(first, { items: [{ name: 'a' }, { name: 'b' }], next_cursor: String })
  const second = await data('search_cards', { query: 'invoice', limit: 2, cursor: first?.next_cursor })
  t.same(second, { items: [{ id: 'c', name: 'c' }] }, 'and ends with a partial page')
  const queries = received.map(({ url }) => new URL(url, 'http://trello.test').searchParams)
  t.same(
    queries.map(query => [query.get('cards_page'), query.get('cards_limit')]),
    [
      ['0', '2'],
      ['1', '2'],
    ],
  )
  t.equal(queries[0]?.get('idBoards'), `${'5'.repeat(24)},${'6'.repeat(24)}`)
})

t.test('Stripe: a list continues after its last ID, a search with the page that it names', async t => {
  const { received, data } = await provider(t, stripe, [
    { body: { data: [{ id: 'cus_1' }, { id: 'cus_2', secret: 'x' }], has_more: true } },
    { body: { data: [{ id: 'cus_3' }], has_more: false } },
    { body: { data: [{ id: 'cus_4' }], has_more: true, next_page: 'page-2' } },
    { body: { data: [], has_more: false, next_page: null } },
  ])
  const first = await data('list_customers', { limit: 2 })
  t.match(first, { items: [{ id: 'cus_1' }, { id: 'cus_2' }] })
  t.same(await data('list_customers', { limit: 2, cursor: first?.next_cursor }), { items: [{ id: 'cus_3' }] })
  const found = await data('search_customers', { query: 'name~"ada"' })
  t.same(await data('search_customers', { query: 'name~"ada"', cursor: found?.next_cursor }), { items: [] })
  t.match(
    received.map(({ url }) => url),
    [
      '/v1/customers?limit=2',
      /starting_after=cus_2/,
      /^\/v1\/customers\/search\?query=name~%22ada%22&limit=20$/,
      /page=page-2/,
    ],
  )
})

t.test('Stripe: bodies are forms with nested members, with a pinned version', async t => {
  const { received, data } = await provider(t, stripe, [{ body: { id: 'plink_1', url: 'https://buy.stripe.test/1' } }])
  const lines = [
    { price: 'price_1', quantity: 2 },
    { price: 'price_2', quantity: 1 },
  ]
  t.same(await data('create_payment_link', { line_items: lines, metadata: { order: '6 & 7' } }), {
    id: 'plink_1',
    url: 'https://buy.stripe.test/1',
  })
  const [{ headers, body }] = received as [Received]
  t.match(headers, {
    authorization: /^Bearer [\w-]{24}$/,
    'content-type': 'application/x-www-form-urlencoded',
    'stripe-version': '2023-08-16',
  })
  t.same([...new URLSearchParams(body)].sort(), [
    ['line_items[0][price]', 'price_1'],
    ['line_items[0][quantity]', '2'],
    ['line_items[1][price]', 'price_2'],
    ['line_items[1][quantity]', '1'],
    ['metadata[order]', '6 & 7'],
  ])
})

t.test('Stripe: models do not receive secrets that a browser could pay with', async t => {
  const { data } = await provider(t, stripe, [
    { body: { id: 'pi_1', status: 'succeeded', client_secret: 'pi_1_secret_2' } },
  ])
  t.same(await data('get_payment_intent', { payment_intent: 'pi_1' }), { id: 'pi_1', status: 'succeeded' })
})

t.test('the providers’ own errors are distinguished', async t => {
  const card = { card: 'AbCd1234' }
  const refusals: Refused[] = [
    {
      name: 'Stripe: a card is declined',
      connector: stripe,
      call: ['finalize_invoice', { invoice: 'in_1' }],
      answer: {
        status: 402,
        body: { error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' } },
      },
      error: { code: 'upstream_rejected', message: /“Your card was declined” \(card_declined\)/ },
    },
    {
      name: 'Stripe: too many requests',
      connector: stripe,
      call: ['get_balance', {}],
      answer: { status: 429, body: { error: { code: 'rate_limit', message: 'Too many requests.' } } },
      error: { code: 'upstream_rate_limited' },
    },
    {
      name: 'Stripe: a revoked key',
      connector: stripe,
      call: ['get_balance', {}],
      answer: { status: 401, body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } } },
      error: { code: 'needs_reauth' },
    },
    {
      name: 'Resend: a key that may only send is valid, but reads nothing',
      connector: resend,
      call: ['list_emails', {}],
      answer: {
        status: 401,
        body: {
          statusCode: 401,
          name: 'restricted_api_key',
          message: 'This API key is restricted to only send emails',
        },
      },
      error: { code: 'scope_missing', message: /Connect a key with full access/ },
    },
    {
      name: 'Resend: a revoked key gives a 403',
      connector: resend,
      call: ['list_emails', {}],
      answer: { status: 403, body: { statusCode: 403, name: 'invalid_api_key', message: 'API key is invalid' } },
      error: { code: 'needs_reauth' },
    },
    {
      name: 'Resend: too many requests, and for how long',
      connector: resend,
      call: ['list_emails', {}],
      answer: {
        status: 429,
        headers: { 'ratelimit-reset': '3' },
        body: { statusCode: 429, name: 'rate_limit_exceeded', message: 'Too many requests' },
      },
      error: { code: 'upstream_rate_limited', retryAfter: 3 },
    },
    {
      name: 'Trello: a revoked token',
      connector: trello,
      call: ['get_card', card],
      answer: { status: 401, body: 'invalid token' },
      error: { code: 'needs_reauth' },
    },
    {
      name: 'Trello: a card that the member may not see is a 401 too',
      connector: trello,
      call: ['get_card', card],
      answer: { status: 401, body: 'unauthorized card permission requested' },
      error: { code: 'upstream_rejected', message: /“unauthorized card permission requested”/ },
    },
    {
      name: 'Trello: too many requests',
      connector: trello,
      call: ['get_card', card],
      answer: { status: 429, body: { error: 'API_TOKEN_LIMIT_EXCEEDED', message: 'Rate limit exceeded' } },
      error: { code: 'upstream_rate_limited' },
    },
  ]
  for (const { name, connector, call, answer, error } of refusals)
    await t.test(name, async t => {
      const at = await provider(t, connector, [answer])
      t.match(await failureOf(at.call(...call)), error)
    })
})
