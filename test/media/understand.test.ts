import { Readable } from 'node:stream'
import t from 'tap'
import { dollars } from '../../schemas/billing/money.ts'
import { until } from '../fixtures/until.ts'
import { mediaApp } from './generation-fixture.ts'
import { PROVIDER_KEY } from './media-fixture.ts'
import { PNG } from './provider-double.ts'

t.test('media__understand', async t => {
  const gateway = await mediaApp(t)
  const { provider, services, differences } = gateway
  const payer = async () => {
    const member = await gateway.payer()
    const { orgId, userId } = member
    const store = async (name: string, data: Buffer) =>
      (await services.artifacts.create({ orgId, userId, name, body: Readable.from([data]) })).id
    return {
      ...member,
      store,
      image: await store('boat.png', PNG),
      note: await store('note.txt', Buffer.from('A note.')),
    }
  }
  const gemini = { model: 'gemini-3.5-flash-lite' }
  const chat = { model: 'gpt-5.6-luna' }

  await t.test('answers a question and costs what the provider reports', async t => {
    const { call, image, note, money } = await payer()
    const asked = { question: 'What is this?' }
    // 1,100 tokens × $0.30 and 10 × $2.50 per million.
    t.match(await call('media__understand', { ...gemini, ...asked, files: [image] }), {
      data: { text: 'A boat.', model: 'gemini-3.5-flash-lite', cost_usd: 0.000355 },
      text: 'A boat.',
    })
    // 1,000 × $0.20 and 10 × $1.20.
    t.match((await call('media__understand', { ...chat, ...asked, files: [image, note] })).data, { cost_usd: 0.000212 })
    t.match((await call('media__understand', { files: [image] })).data, { text: 'A boat.' }, 'a model by default')
    // 90 s × $0.0045 a minute.
    t.match((await call('media__understand', { transcribe: true, language: 'en', files: [note] })).data, {
      model: 'gpt-transcribe',
      text: 'Ahoy.',
      cost_usd: 0.00675,
    })
    t.notOk(provider.steps().includes('fault'))
    t.match(await money(), { held: 0, captured: 4, balance: 5_000_000 - 355 - 212 - 355 - 6_750 })
    t.same(await differences(), [])
  })

  await t.test('checks the answer with the schema', async t => {
    const { call, image, money } = await payer()
    const schema = { type: 'object', properties: { boats: { type: 'integer' } }, required: ['boats'] }
    const answer = (content: string) => ({
      body: { choices: [{ message: { content } }], usage: { completion_tokens: 1 } },
    })
    provider.script('chat', answer('{"boats": 2}'), answer('{"boats": "two"}'), answer('Two boats.'))
    const ask = (key = {}) => call('media__understand', { ...chat, schema, files: [image] }, key)
    t.match((await ask()).data, { data: { boats: 2 } })
    const charged = { outcome: 'provider_failed', error: { message: /not match the schema.*the call cost \$0\.00/ } }
    t.match(await ask(), charged)
    const keyed = { 'idempotency-key': 'mismatch' }
    t.match(await ask(keyed), charged)
    t.match(await ask(keyed), { ...charged, text: /send a new one/ }, 'a repeated call gets the failure')
    t.match(await call('media__understand', { ...chat, schema: { type: 'array' }, files: [image] }), {
      text: /Input validation error.*`schema` is not of type "object"/,
    })
    t.match(await money(), { captured: 3, released: 0, held: 0 })
  })

  await t.test('an answer that its provider charges for is charged even if the call fails', async t => {
    const { call, image, money } = await payer()
    const usageMetadata = { promptTokenCount: 1_000, candidatesTokenCount: 0 }
    const usage = { prompt_tokens: 1_000, completion_tokens: 10 }
    const cases: [args: object, step: string, body: object, outcome: string, micros: number][] = [
      [gemini, 'answer', { candidates: [], usageMetadata }, 'provider_failed', 300],
      [gemini, 'answer', { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata }, 'content_refused', 300],
      [chat, 'chat', { choices: [{ message: { refusal: 'No' } }], usage }, 'content_refused', 212],
      [
        { ...chat, schema: { type: 'object', properties: { k: { pattern: '^7f3a9c.{58}$' } }, required: ['k'] } },
        'chat',
        { choices: [{ message: { content: '{"k": "x"}' } }], usage },
        'provider_failed',
        212,
      ],
    ]
    let spent = 0
    for (const [args, step, body, outcome, micros] of cases) {
      provider.script(step, { body })
      const failed = await call('media__understand', { ...args, files: [image] })
      const message = `The provider charged for it: the call cost ${dollars(micros)}.`
      t.match(failed, { outcome, error: { message } }, `${step} ${JSON.stringify(body)}`)
      t.notMatch(failed.text, /Nothing was charged/)
      spent += micros
    }
    t.match(await money(), { balance: 5_000_000 - spent, held: 0, captured: cases.length, released: 0 })
    t.same(await differences(), [])
  })

  await t.test('the memory of large files is bounded for each organization and ends with the request', async t => {
    const ada = await payer()
    const bob = await payer()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    provider.before('chat', () => released)
    const ask = async ({ store, call }: typeof ada) => {
      const large = await store('large.txt', Buffer.alloc(13 * 1024 ** 2, 'a'))
      return () => call('media__understand', { ...chat, files: [large, large] })
    }
    const [askAda, askBob] = [await ask(ada), await ask(bob)]
    const first = askAda()
    await until(() => provider.steps().length === 1)
    const refused = { outcome: 'overloaded', error: { message: /Too many large files.*Retry in a few seconds/ } }
    t.match(await askAda(), refused)
    t.match(await ada.money(), { pending: 1, released: 1, captured: 0 }, 'and costs nothing')
    const other = askBob()
    await until(() => provider.steps().length === 2)
    release()
    t.match(await Promise.all([first, other]), [{ outcome: 'ok' }, { outcome: 'ok' }], 'others are not affected')
    t.match(await askAda(), { outcome: 'ok' }, 'nothing stays counted')
  })

  await t.test(
    'a call never costs more than max_cost_usd: larger files are rejected before anything is sent',
    async t => {
      const { call, store, image, money } = await payer()
      const tokens = (promptTokenCount: number) => ({
        body: {
          candidates: [{ content: { parts: [{ text: 'A.' }] } }],
          usageMetadata: { promptTokenCount, candidatesTokenCount: 1 },
        },
      })
      const text = await store('large.txt', Buffer.alloc(300_000, 'a'))
      const pdf = await store('large.pdf', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(100_000)]))
      const ask = (file: string, max?: number) =>
        call('media__understand', { ...gemini, files: [file], ...(max !== undefined && { max_cost_usd: max }) })
      for (const file of [text, pdf])
        t.match(await ask(file, 0.09), { outcome: 'cost_limit', error: { message: /smaller/ } })
      t.same(provider.steps(), [])
      // 300,000 tokens of text × $0.30, 8,192 of the answer × $2.50 and the frame of the prompt fit in $0.12.
      provider.script('answer', tokens(75_000))
      t.match(await ask(text, 0.12), { data: { cost_usd: 0.022503 } })
      provider.script('answer', tokens(300_000))
      t.match(
        await ask(image, 0.05),
        { data: { cost_usd: 0.05 } },
        'also if the provider reports more than is possible',
      )
      t.match(await money(), { balance: 5_000_000 - 22_503 - 50_000, held: 0, captured: 2 })
      t.same(await differences(), [])
    },
  )

  await t.test(
    'a failed call that the provider does not charge for costs nothing and shows nothing of the provider',
    async t => {
      const { call, image, note, money, org, orgId } = await payer()
      const cases: [args: object, step: string, answer: object, outcome: string][] = [
        [gemini, 'answer', { body: { promptFeedback: { blockReason: 'SAFETY' } } }, 'content_refused'],
        [gemini, 'answer', { body: { candidates: [] } }, 'provider_failed'],
        [
          gemini,
          'answer',
          { status: 400, body: { error: { message: `${PROVIDER_KEY} https://x.example` } } },
          'bad_input',
        ],
        [gemini, 'answer', { status: 403 }, 'provider_failed'],
        [gemini, 'answer', { cut: 'received' }, 'provider_failed'],
        [chat, 'chat', { body: { choices: [{ message: { refusal: 'No' } }] } }, 'content_refused'],
        [chat, 'chat', { status: 429 }, 'provider_busy'],
        [chat, 'chat', { status: 503 }, 'provider_failed'],
      ]
      for (const [args, step, answer, outcome] of cases) {
        provider.script(step, answer)
        const failed = await call('media__understand', { ...args, files: [image] })
        t.match(failed, { outcome }, `${step} ${JSON.stringify(answer)}`)
        t.notMatch(failed.text, new RegExp(`${PROVIDER_KEY}|https?:`))
      }
      const { userId } = await org.member()
      const foreign = { orgId, userId, name: 'boat.png', body: Readable.from([PNG]) }
      const { id } = await services.artifacts.create(foreign)
      t.match(await call('media__understand', { ...gemini, files: [id] }), { outcome: 'bad_input' }, 'a colleague’s')
      const both = { transcribe: true, files: [note, image] }
      t.match(await call('media__understand', both), { outcome: 'bad_input', error: { message: /one file/ } })
      const gone = `art_${'0'.repeat(32)}`
      t.match(await call('media__understand', { ...gemini, files: [gone] }), { outcome: 'bad_input' })
      const other = await payer()
      t.match(
        await other.call('media__understand', { ...gemini, files: [image] }),
        { outcome: 'bad_input' },
        'not theirs',
      )
      t.match(await call('media__understand', { ...gemini, files: [image], max_cost_usd: 0.001 }), {
        outcome: 'cost_limit',
      })
      t.match(await money(), { balance: 5_000_000, held: 0, captured: 0 })
    },
  )
})
