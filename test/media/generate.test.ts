import t, { type Test } from 'tap'
import { askedBy } from '../fixtures/fixture.ts'
import { until } from '../fixtures/until.ts'
import { mediaApp } from './generation-fixture.ts'
import { PROVIDER_KEY } from './media-fixture.ts'
import { PNG } from './provider-double.ts'

/** One gateway for all tests of this file, each with an organization of its own. */
const tests: [name: string, run: (t: Test, gateway: Awaited<ReturnType<typeof mediaApp>>) => Promise<void>][] = []
function test(...one: (typeof tests)[number]): void {
  tests.push(one)
}

const FLUX = { model: 'flux-2-pro', prompt: 'A boat at sea' }

test('a generated image is an artifact behind a signed URL, and costs what the provider reports', async (t, gateway) => {
  const { call, money, usage } = await gateway.payer()
  const { app, during, provider, differences } = gateway
  const made = await during(call('media__generate', FLUX))
  t.match(made.data, {
    status: 'done',
    id: /^gen_[0-9a-f]{32}$/,
    model: 'flux-2-pro',
    artifacts: [{ id: /^art_/, media_type: 'image/png', bytes: PNG.length }],
    cost_usd: 0.045,
    warnings: [],
  })
  t.same(
    provider.received.map(({ step }) => step),
    ['fal.submit', 'fal.status', 'fal.status', 'fal.result', 'file'],
  )
  t.same(provider.received[0]?.body, { prompt: 'A boat at sea', image_size: 'landscape_4_3' })
  const { url } = (made.data.artifacts as { url: string }[])[0] as { url: string }
  const file = await app.inject({ url: url.replace('http://localhost', '') })
  t.same(file.rawPayload, PNG)
  t.match(await money(), { balance: 4_955_000, held: 0, captured: 1 })
  const [row, ...others] = await usage()
  t.match(row, { outcome: 'ok', cost_micros: 45_000, client: null })
  t.ok(Number(row?.duration_ms) > 0, 'the row of the call and of its charge')
  t.same(others, [])
  t.same(await differences(), [])
})

test('the arguments of another model are rejected with the usual messages', async (t, gateway) => {
  const { call } = await gateway.payer()
  const { provider } = gateway
  const fault = async (args: object) => (await call('media__generate', { ...FLUX, ...args })).text
  const start = 'Input validation error: Invalid arguments for tool media__generate: '
  for (const args of [
    { voice: 'marin' },
    { size: '1024x1024' },
    { n: 2 },
    { image_size: '4K' },
    { prompt: 'x'.repeat(8_001) },
  ]) {
    const message = await fault(args)
    t.ok(message.startsWith(start), message)
    t.match(message, new RegExp(Object.keys(args)[0] ?? ''))
  }
  t.match(await fault({ model: 'nothing' }), /model/)
  t.match(await call('media__generate', { model: 'veo-3.1', prompt: 'A boat', duration: 5 }), { text: /duration/ })
  t.same(provider.received, [])
})

test('the schema is one flat object', async (t, gateway) => {
  await gateway.payer()
  const { services } = gateway
  const { tools } = await services.surfaces.of(askedBy(null))
  const { inputSchema } = tools.get('media__generate')?.entry ?? { inputSchema: undefined }
  t.match(inputSchema, { type: 'object', additionalProperties: false, required: ['model', 'prompt'] })
  t.notOk(['oneOf', 'anyOf', 'allOf', 'if'].some(name => inputSchema !== undefined && name in inputSchema))
})

test('a small result is inline on request', async (t, gateway) => {
  const { headers } = await gateway.payer()
  const { app } = gateway
  const response = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...headers, accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    payload: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'media__generate',
        arguments: { model: 'gpt-image-2.5-flare', prompt: 'A boat', n: 2, inline: true },
      },
    }),
  })
  const { content, structuredContent } = response.json().result
  t.match(content.slice(1), [
    { type: 'image', mimeType: 'image/png', data: PNG.toString('base64') },
    { type: 'image', mimeType: 'image/png', data: PNG.toString('base64') },
  ])
  t.equal(structuredContent.artifacts.length, 2)
})

test('money decides before anything is sent', async (t, gateway) => {
  const { call, money } = await gateway.payer()
  const { during, provider } = gateway
  const veo = { model: 'veo-3.1', prompt: 'A boat at sea' }
  t.match(await call('media__generate', { ...veo, max_cost_usd: 3 }), {
    outcome: 'cost_limit',
    error: { message: /can cost \$3\.20, which is more than max_cost_usd/ },
  })
  t.match((await during(call('media__generate', veo))).data, {
    status: 'done',
    cost_usd: 3.2,
    artifacts: [{ media_type: 'video/mp4' }],
  })
  const sent = provider.received.length
  t.match(await call('media__generate', veo), { outcome: 'insufficient_balance' })
  t.equal(provider.received.length, sent)
  t.match(await money(), { balance: 1_800_000, held: 0, captured: 1, released: 0 })
})

test('an error of the provider releases the hold', async (t, gateway) => {
  const { call, money, generations } = await gateway.payer()
  const { during, provider } = gateway
  const key = { 'idempotency-key': 'one' }
  const cases: [step: string, answer: object, outcome: string, message: RegExp][] = [
    [
      'fal.submit',
      { status: 422, body: { detail: [{ type: 'content_policy_violation', msg: 'Flagged' }] } },
      'content_refused',
      /fal refused to generate this content.*Flagged/,
    ],
    [
      'fal.submit',
      { status: 422, body: { detail: [{ type: 'value_error', msg: `See https://fal.ai/x and ${PROVIDER_KEY}` }] } },
      'bad_input',
      /rejected the request: See … and …/,
    ],
    ['fal.submit', { status: 429, headers: { 'retry-after': '7' } }, 'provider_busy', /fal is busy/],
    ['fal.submit', { status: 500, body: { detail: 'boom' } }, 'provider_failed', /fal failed \(500\): boom/],
    [
      'fal.submit',
      { status: 401, body: { detail: PROVIDER_KEY } },
      'provider_failed',
      /rejected the gateway's key. Ask the operator to check FAL_KEY/,
    ],
    ['fal.submit', { status: 402 }, 'provider_failed', /used up/],
    ['fal.submit', { body: { status_url: 'https://elsewhere.example' } }, 'provider_failed', /did not say where/],
    ['fal.submit', { cut: 'received' }, 'provider_failed', /its result is unknown/],
    [
      'fal.result',
      { status: 422, body: { detail: [{ type: 'content_policy_violation', msg: 'Flagged' }] } },
      'content_refused',
      /Flagged/,
    ],
    ['fal.result', { status: 500, body: { detail: 'The model failed' } }, 'provider_failed', /The model failed/],
    ['fal.result', { body: { images: [] } }, 'provider_failed', /fal returned no file/],
    ['fal.status', { body: { status: 'FAILED' } }, 'provider_failed', /did not complete/],
  ]
  for (const [step, answer, outcome, message] of cases) {
    provider.state.pendingStatuses = 0
    provider.script(step, answer)
    const failed = await during(call('media__generate', FLUX))
    t.match(failed, { outcome, error: { code: outcome, message } }, `${step} ${outcome}`)
    t.notMatch(failed.text, new RegExp(`${PROVIDER_KEY}|127\\.0\\.0\\.1`))
  }
  t.match(await money(), { balance: 5_000_000, held: 0, pending: 0, captured: 0, released: cases.length })
  t.ok((await generations()).every(({ state, request }) => state === 'failed' && request === null))

  provider.script('fal.submit', { status: 500 })
  t.equal((await during(call('media__generate', FLUX, key))).outcome, 'provider_failed')
  t.equal(
    (await during(call('media__generate', FLUX, key))).outcome,
    'ok',
    'a failed call may be repeated with its key',
  )
  provider.script('fal.submit', { cut: 'received' })
  const two = { 'idempotency-key': 'two' }
  t.equal((await during(call('media__generate', FLUX, two))).outcome, 'provider_failed')
  t.equal(
    (await call('media__generate', FLUX, two)).outcome,
    'idempotency_conflict',
    'but not if its outcome is unknown',
  )
})

test('a busy status does not end the work', async (t, gateway) => {
  const { call } = await gateway.payer()
  const { during, provider } = gateway
  provider.script('fal.status', { status: 429 }, { status: 503 }, { cut: 'received' })
  provider.script('fal.result', { status: 502 })
  t.equal((await during(call('media__generate', FLUX))).outcome, 'ok')
})

test('the same idempotency key while it is pending gives one generation', async (t, gateway) => {
  const { call, generations, money } = await gateway.payer()
  const { during, provider } = gateway
  const key = { 'idempotency-key': 'same' }
  const both = Promise.all([call('media__generate', FLUX, key), call('media__generate', FLUX, key)])
  const [one, two] = await during(both)
  t.same(one.data, two.data)
  t.same((await call('media__generate', FLUX, key)).data, one.data)
  t.equal((await call('media__generate', { ...FLUX, seed: 1 }, key)).outcome, 'idempotency_conflict')
  t.equal((await generations()).length, 1)
  t.equal(provider.steps().filter(step => step === 'fal.submit').length, 1)
  t.match(await money(), { captured: 1, balance: 4_955_000 })
})

test('a process that died is replaced: the provider gets a request once', async (t, gateway) => {
  const { call, generations, money } = await gateway.payer()
  const { provider, jobs, endLeases, differences } = gateway
  const { promise: released, resolve: stop } = Promise.withResolvers<void>()
  provider.before('fal.submit', () => released)
  const pending = call('media__generate', FLUX)
  await until(() => provider.steps().includes('fal.submit'))
  t.match(await generations(), [{ state: 'submitting' }])
  await jobs()
  t.match(await generations(), [{ state: 'submitting' }], 'its process still says that it works')
  await endLeases()
  await jobs()
  t.match(await pending, { outcome: 'provider_failed', error: { message: /result is unknown/ } })
  t.match(await generations(), [{ state: 'failed' }])
  t.match(await money(), { balance: 5_000_000, held: 0, released: 1 })
  stop()
  t.same(await differences(), [])
})

test('a pending generation survives its process, and media__get has its files', async (t, gateway) => {
  const { call, generations, money, org, userId } = await gateway.payer()
  const { jobs, provider, services, endLeases, differences } = gateway
  provider.state.pendingStatuses = 2
  const first = await services.media.generations.start({
    orgId: org.id,
    userId,
    keyId: null,
    agentId: null,
    tool: 'media__generate',
    digest: undefined,
    model: 'flux-2-pro',
    estimateMicros: 240_000,
    request: {
      args: {},
      prompt: 'A boat',
      n: 1,
      images: [],
      price: { valid_from: '2026-11-01', per: 'unit', micros: 30_000 },
    },
  })
  await until(async () => (await generations())[0]?.state === 'running')
  const pending = { status: 'pending', id: first.id, poll_after_s: 5, estimate: 0.24 }
  t.match((await call('media__get', { id: first.id })).data, pending)
  await jobs()
  t.match((await call('media__get', { id: first.id })).data, pending)
  t.match(await money(), { balance: 5_000_000, held: 240_000, pending: 1 })
  await endLeases()
  await jobs()
  await jobs()
  t.match((await call('media__get', { id: first.id, wait_s: 1 })).data, { status: 'done', cost_usd: 0.045 })
  t.match(await money(), { balance: 4_955_000, held: 0, captured: 1 })
  t.same(await differences(), [])

  const other = await gateway.payer()
  t.equal((await other.call('media__get', { id: first.id })).outcome, 'not_found', 'of another organization')
  const { key } = await (await org.member('owner')).key()
  t.match((await call('media__get', { id: first.id }, { 'x-api-key': key })).outcome, 'not_found', 'of another member')
})

test('after the expiry of its hold a result is delivered and nothing is charged', async (t, gateway) => {
  const { call, money, expireHolds, reconciliations, generations } = await gateway.payer()
  const { during, provider, differences } = gateway
  provider.before('fal.status', async () => {
    if ((await money()).pending > 0) await expireHolds()
  })
  t.match((await during(call('media__generate', FLUX))).data, { status: 'done', cost_usd: 0 })
  t.match(await money(), { balance: 5_000_000, held: 0, expired: 1 })
  t.match(await reconciliations(), [{ reason: 'expired', held: 240_000, cost: 45_000, tool: 'media__generate' }])
  t.match(await generations(), [{ state: 'done', cost_micros: 0 }])
  t.same(await differences(), [])
})

test('a stopped generation fails and costs nothing', async (t, gateway) => {
  const { call, generations, money } = await gateway.payer()
  const { during, provider } = gateway
  provider.state.pendingStatuses = 1_000
  const making = call('media__generate', FLUX)
  await until(async () => (await generations())[0]?.state === 'running')
  const id = (await generations())[0]?.id
  t.match((await call('media__get', { id, cancel: true })).data, { status: 'pending' })
  t.match(await during(making), { outcome: 'bad_input' })
  t.match((await call('media__get', { id })).data, { status: 'failed', cost_usd: 0, error: { code: 'bad_input' } })
  t.ok(provider.steps().includes('fal.cancel'))
  t.match(await money(), { balance: 5_000_000, released: 1 })
})

test('every provider makes its files in its published form', async (t, gateway) => {
  const { call, money } = await gateway.payer()
  const { during, provider } = gateway
  const cases: [args: object, type: string, cost: number][] = [
    [{ model: 'gpt-image-2.5-flare', prompt: 'A boat', quality: 'low' }, 'image/png', 0.03173],
    [{ model: 'gemini-3.1-flash-image', prompt: 'A boat', aspect_ratio: '16:9' }, 'image/png', 0.072005],
    [{ model: 'gemini-3-pro-image', prompt: 'A boat', image_size: '4K' }, 'image/png', 0.24],
    [{ model: 'gpt-4o-mini-tts', prompt: 'Ahoy', instructions: 'Loud.' }, 'audio/mpeg', 0.00008],
    [{ model: 'eleven-v4', prompt: 'Ahoy', language: 'en' }, 'audio/mpeg', 0.00048],
  ]
  for (const [args, media_type, cost_usd] of cases) {
    const made = await during(call('media__generate', args))
    t.match(made.data, { status: 'done', cost_usd, artifacts: [{ media_type }] }, JSON.stringify(args))
  }
  t.notOk(provider.steps().includes('fault'))
  const [image] = (await during(call('media__generate', FLUX))).data.artifacts as [{ id: string }]
  for (const model of ['gpt-image-2.5-flare', 'flux-2-pro', 'gemini-3.1-flash-image', 'kling-2.5-turbo-pro']) {
    const edited = await during(call('media__generate', { model, prompt: 'At night', images: [image.id] }))
    t.match(edited.data, { status: 'done' }, model)
  }
  const video = { model: 'veo-3.1', prompt: 'The boat sails', duration: 4, images: [image.id] }
  t.match((await during(call('media__generate', video))).data, { status: 'done', cost_usd: 1.6 })
  t.notOk(provider.steps().includes('fault'))
  t.ok(provider.steps().includes('edits'))
  t.match(await call('media__generate', { ...FLUX, images: [`art_${'0'.repeat(32)}`] }), {
    outcome: 'bad_input',
    error: { message: /You have no file art_0/ },
  })
  t.match(await money(), { held: 0, captured: cases.length + 6, released: 1 })
})

test('each provider says in its own form what is wrong', async (t, gateway) => {
  const { call, money } = await gateway.payer()
  const { during, provider } = gateway
  const gptImage = { model: 'gpt-image-2.5-flare', prompt: 'A boat' }
  const gemini = { model: 'gemini-3.1-flash-image', prompt: 'A boat' }
  const veo = { model: 'veo-3.1', prompt: 'A boat' }
  const eleven = { model: 'eleven-v4', prompt: 'Ahoy' }
  const done = (response: object) => ({ body: { done: true, response: { generateVideoResponse: response } } })
  const cases: [args: object, step: string, answer: object, outcome: string][] = [
    [
      gptImage,
      'images',
      { status: 400, body: { error: { code: 'moderation_blocked', message: 'No' } } },
      'content_refused',
    ],
    [gptImage, 'images', { status: 400, body: { error: { code: 'invalid_value', message: 'No' } } }, 'bad_input'],
    [gptImage, 'images', { status: 429, body: { error: { code: 'insufficient_quota' } } }, 'provider_failed'],
    [gptImage, 'images', { status: 429, body: { error: { code: 'rate_limit_exceeded' } } }, 'provider_busy'],
    [gptImage, 'images', { body: { data: [] } }, 'provider_failed'],
    [gptImage, 'images', { body: Buffer.from('<html>') }, 'provider_failed'],
    [gemini, 'content', { body: { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } } }, 'content_refused'],
    [gemini, 'content', { body: { candidates: [{ finishReason: 'IMAGE_SAFETY' }] } }, 'content_refused'],
    [
      gemini,
      'content',
      { body: { candidates: [{ content: { parts: [{ text: 'No' }] }, finishReason: 'STOP' }] } },
      'provider_failed',
    ],
    [gemini, 'content', { status: 503, body: { error: { message: 'Overloaded' } } }, 'provider_failed'],
    [veo, 'video', { body: {} }, 'provider_failed'],
    [veo, 'video.status', { body: { done: true, error: { code: 13, message: 'Internal' } } }, 'provider_failed'],
    [veo, 'video.status', done({ raiMediaFilteredCount: 1 }), 'content_refused'],
    [veo, 'video.status', done({ generatedSamples: [] }), 'provider_failed'],
    [
      eleven,
      'eleven',
      { status: 401, body: { detail: { status: 'quota_exceeded', message: 'No' } } },
      'provider_failed',
    ],
    [eleven, 'eleven', { status: 422, body: { detail: { status: 'invalid', message: 'No' } } }, 'bad_input'],
    [eleven, 'eleven', { status: 429, body: { detail: { status: 'system_busy' } } }, 'provider_busy'],
  ]
  for (const [args, step, answer, outcome] of cases) {
    provider.script(step, answer)
    t.match(await during(call('media__generate', args)), { outcome }, `${step} ${JSON.stringify(answer)}`)
  }
  t.match(await money(), { balance: 5_000_000, held: 0, released: cases.length })
})

t.test('media__generate', async t => {
  const gateway = await mediaApp(t)
  for (const [name, run] of tests) await t.test(name, t => run(t, gateway))
})
