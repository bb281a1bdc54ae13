import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { forOrg } from '../../lib/database/tenant.ts'
import type { MediaModel } from '../../schemas/tools/media.ts'
import SHIPPED from '../../services/media/media-models.json' with { type: 'json' }
import { until } from '../fixtures/until.ts'
import { mediaApp } from './generation-fixture.ts'
import { PNG } from './provider-double.ts'

const FLUX = { model: 'flux-2-pro', prompt: 'A boat at sea' }
/** A price that doubles on a day. */
const MIDNIGHT = Date.UTC(2027, 0, 1)
const MODELS = (SHIPPED as MediaModel[]).map(model =>
  model.id === FLUX.model
    ? {
        ...model,
        prices: [
          { valid_from: '2026-11-01', per: 'unit' as const, micros: 30_000 },
          { valid_from: '2027-01-01', per: 'unit' as const, micros: 60_000 },
        ],
      }
    : model,
)

t.test('the money of media__generate', async t => {
  let priceTime = MIDNIGHT - 1_000
  const gateway = await mediaApp(t, { models: MODELS, answerAfterMs: 0, priceTime: () => priceTime })
  const { provider, jobs, endLeases, differences, services } = gateway
  t.beforeEach(() => {
    priceTime = MIDNIGHT - 1_000
  })
  /** Runs jobs until the generation is at its end, and returns it. */
  const finish = async ({ call }: Pick<Awaited<ReturnType<typeof gateway.payer>>, 'call'>, id: unknown) => {
    for (;;) {
      const { data } = await call('media__get', { id })
      if (data.status !== 'pending') return data
      await jobs(2)
    }
  }

  await t.test('a call that ends before its files shows their cost in usage when they are there', async t => {
    const payer = await gateway.payer()
    const pending = (await payer.call('media__generate', FLUX)).data
    t.match(pending, { status: 'pending', id: /^gen_/, estimate: 0.24, poll_after_s: 5 })
    t.match(await payer.usage(), [{ tool: 'media__generate', outcome: 'ok', cost_micros: 0 }])
    t.match(await finish(payer, pending.id), { status: 'done', cost_usd: 0.045 })

    const rows = await payer.usage()
    const charged = rows.filter(({ cost_micros }) => cost_micros > 0)
    t.match(charged, [{ tool: 'media__generate', cost_micros: 45_000, key_id: payer.keyId, user_id: payer.userId }])
    t.equal(rows.filter(({ tool }) => tool === 'media__generate').length, 1, 'one row for one call')
    t.match(await payer.money(), { balance: 4_955_000, held: 0, captured: 1 })
    t.same(await differences(), [])
  })

  await t.test('the charge is in usage even if the process of the call dies before it writes the row', async t => {
    const payer = await gateway.payer()
    const started = await services.media.generations.start({
      orgId: payer.orgId,
      userId: payer.userId,
      keyId: payer.keyId,
      agentId: null,
      tool: 'media__generate',
      digest: undefined,
      model: FLUX.model,
      estimateMicros: 240_000,
      request: { args: {}, prompt: 'A boat', n: 1, images: [], price: { valid_from: '', per: 'unit', micros: 30_000 } },
    })
    t.match(await finish(payer, started.id), { status: 'done' })
    const rows = (await payer.usage()).filter(({ tool }) => tool === 'media__generate')
    t.match(rows, [{ key_id: payer.keyId, outcome: 'ok', cost_micros: 45_000 }])
  })

  await t.test('a price that changes at midnight is not the price of a running generation', async t => {
    const payer = await gateway.payer()
    const before = (await payer.call('media__generate', FLUX)).data
    priceTime = MIDNIGHT
    t.match(await finish(payer, before.id), { status: 'done', cost_usd: 0.045 })
    const after = (await payer.call('media__generate', FLUX)).data
    t.match(after, { estimate: 0.48 })
    t.match(await finish(payer, after.id), { status: 'done', cost_usd: 0.09 })
    t.match(await payer.money(), { balance: 5_000_000 - 45_000 - 90_000, held: 0, captured: 2 })
  })

  await t.test('a cost above the estimate is charged up to ten times the estimate; the rest is recorded', async t => {
    const payer = await gateway.payer()
    const files = { images: [{ url: `${provider.state.fileOrigin}/files/boat.png` }] }
    const billed = (units: string) =>
      provider.script('fal.result', { body: files, headers: { 'x-fal-billable-units': units } })
    billed('20')
    const more = (await payer.call('media__generate', FLUX)).data
    t.match(await finish(payer, more.id), { status: 'done', cost_usd: 0.6 })
    t.same(await payer.reconciliations(), [])
    billed('100')
    const muchMore = (await payer.call('media__generate', FLUX)).data
    t.match(await finish(payer, muchMore.id), { status: 'done', cost_usd: 2.4 })
    t.match(await payer.reconciliations(), [
      { reason: 'overage_bound', held: 240_000, cost: 3_000_000, tool: 'media__generate' },
    ])
    t.match(await payer.money(), { balance: 5_000_000 - 600_000 - 2_400_000, held: 0, captured: 2 })
    t.same(await differences(), [])
  })

  await t.test('a generation that fails costs nothing, even if its provider reports units for it', async t => {
    const payer = await gateway.payer()
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 1_000 }
    const parts = [{ text: 'No image, only words.' }]
    provider.script('content', { body: { candidates: [{ content: { parts } }], usageMetadata } })
    await payer.call('media__generate', { model: 'gemini-3.1-flash-image', prompt: 'Words only' })
    const failed = { status: 'failed', cost_usd: 0, error: { code: 'provider_failed', message: /returned no image/ } }
    t.match(await finish(payer, (await payer.generations())[0]?.id), failed)

    const files = { images: [{ url: `${provider.state.fileOrigin}/files/boat.png` }], has_nsfw_concepts: [true] }
    provider.script('fal.result', { body: files, headers: { 'x-fal-billable-units': '1.5' } })
    const refused = (await payer.call('media__generate', FLUX)).data
    t.match(await finish(payer, refused.id), { status: 'failed', cost_usd: 0, error: { code: 'content_refused' } })
    t.match(await payer.money(), { balance: 5_000_000, held: 0, captured: 0, released: 2 })
    t.same(await differences(), [])
  })

  await t.test('the same idempotency key while a generation is pending answers the same generation', async t => {
    const payer = await gateway.payer()
    const key = { 'idempotency-key': 'pending' }
    const first = (await payer.call('media__generate', FLUX, key)).data
    t.match(first, { status: 'pending' })
    t.same((await payer.call('media__generate', FLUX, key)).data, first)
    t.match(await payer.money(), { held: 240_000, pending: 1 })
    t.match(await finish(payer, first.id), { status: 'done' })
    t.match((await payer.call('media__generate', FLUX, key)).data, { id: first.id })
    t.equal(provider.steps().filter(step => step === 'fal.submit').length, 1)
    t.match(await payer.money(), { balance: 4_955_000, captured: 1 })
    const costs = (await payer.usage()).map(({ cost_micros }) => cost_micros)
    t.equal(
      costs.reduce((sum, cost) => sum + cost, 0),
      45_000,
      'usage adds up to the charge',
    )
  })

  await t.test('max_cost_usd rejects what can cost more, before anything is held or sent', async t => {
    const payer = await gateway.payer()
    t.match(await payer.call('media__generate', { ...FLUX, max_cost_usd: 0.23 }), { outcome: 'cost_limit' })
    t.same([provider.steps(), await payer.generations()], [[], []])
    t.match(await payer.money(), { balance: 5_000_000, held: 0, released: 0 })
    const allowed = (await payer.call('media__generate', { ...FLUX, max_cost_usd: 0.24 })).data
    const files = { images: [{ url: `${provider.state.fileOrigin}/files/boat.png` }] }
    provider.script('fal.result', { body: files, headers: { 'x-fal-billable-units': '20' } })
    t.match(await finish(payer, allowed.id), { status: 'done', cost_usd: 0.24 }, 'and is the most that is charged')
    t.match(await payer.money(), { balance: 4_760_000, held: 0, captured: 1 })
  })

  await t.test('a generation whose process dies before it sends the request may run again with its key', async t => {
    const payer = await gateway.payer()
    const { promise: released, resolve: revive } = Promise.withResolvers<void>()
    provider.before('input', () => released)
    const start = () =>
      services.media.generations.start({
        orgId: payer.orgId,
        userId: payer.userId,
        keyId: null,
        agentId: null,
        tool: 'media__generate',
        digest: 'of the key',
        model: FLUX.model,
        estimateMicros: 240_000,
        request: {
          args: {},
          prompt: 'A boat',
          n: 1,
          images: [`${provider.state.fileOrigin}/files/input.png`],
          price: { valid_from: '', per: 'unit', micros: 30_000 },
        },
      })
    const first = await start()
    await until(() => provider.steps().includes('input'))
    t.equal((await start()).id, first.id, 'while it is alive, its key identifies it')
    t.match(await payer.generations(), [{ state: 'created' }])
    await endLeases()
    await jobs()
    t.match((await payer.call('media__get', { id: first.id })).data, { status: 'failed', cost_usd: 0 })
    t.match(await payer.money(), { balance: 5_000_000, held: 0, released: 1 })

    revive()
    const second = await start()
    t.not(second.id, first.id)
    t.match(await finish(payer, second.id), { status: 'done' })
    t.equal(provider.steps().filter(step => step === 'fal.submit').length, 1, 'the first was never sent')
    t.match(await payer.money(), { balance: 4_955_000, captured: 1 })
    t.same(await differences(), [])
  })

  /** Fills the quota of 10 GiB up to this many bytes. */
  async function fillQuota({ orgId, userId }: { orgId: string; userId: string }, leftBytes: number) {
    const now = gateway.clock.now()
    const times = { created_at: new Date(now), expires_at: new Date(now + 3_600_000) }
    const file = {
      id: `art_${orgId}`,
      user_id: userId,
      name: 'large',
      media_type: 'video/mp4',
      stored_as: null,
      ...times,
    }
    const full = { ...file, bytes: 10 * 1024 ** 3 - leftBytes }
    await forOrg(services.database.db, orgId).insertInto('artifacts', full).execute()
  }

  await t.test('files that the provider has charged for are delivered and charged, also above the quota', async t => {
    const payer = await gateway.payer()
    const { id } = (await payer.call('media__generate', FLUX)).data
    await until(async () => (await payer.generations())[0]?.state === 'running')
    await fillQuota(payer, 70_000)
    provider.state.fileBytes = Buffer.concat([PNG, Buffer.alloc(300_000)])
    t.match(await finish(payer, id), { status: 'done', cost_usd: 0.045, artifacts: [{ bytes: PNG.length + 300_000 }] })
    t.match(await payer.money(), { balance: 4_955_000, held: 0, captured: 1 })
    t.same(await differences(), [])
  })

  await t.test('nothing is asked of a provider unless there is space for the largest usual result', async t => {
    const MIB = 1024 ** 2
    const payer = await gateway.payer()
    await fillQuota(payer, 100 * MIB)
    // On a busy machine, it fails before its call could answer that it is pending.
    const started = async (args: object) => {
      const earlier = new Set((await payer.generations()).map(({ id }) => id))
      await payer.call('media__generate', args)
      return finish(payer, (await payer.generations()).find(({ id }) => !earlier.has(id))?.id)
    }
    const full = { status: 'failed', cost_usd: 0, error: { code: 'quota_exceeded', message: /limit of 10 GiB/ } }
    t.match(await started({ model: 'veo-3.1', prompt: 'A boat' }), full, 'a video needs 512 MiB')
    t.match(await started({ model: 'gpt-image-2.5-flare', prompt: 'A boat', n: 4 }), full, 'each image needs 32 MiB')
    t.same(provider.steps(), [])
    t.match(await payer.money(), { balance: 5_000_000, held: 0, captured: 0, released: 2 })
    t.match(await started(FLUX), { status: 'done' })
  })

  // Last, because it moves the clock by hours.
  await t.test('nothing is asked of a provider while the storage of files does not work', async t => {
    const payer = await gateway.payer()
    const directory = join(gateway.dataDir, 'artifacts')
    renameSync(directory, `${directory}-away`)
    writeFileSync(directory, 'a file in the way')
    // On a busy machine, it fails before its call could answer that it is pending.
    await payer.call('media__generate', FLUX)
    const ended = await finish(payer, (await payer.generations())[0]?.id)
    rmSync(directory)
    renameSync(`${directory}-away`, directory)
    t.match(ended, { status: 'failed', error: { code: 'internal_error', message: /cannot store files now/ } })
    t.same(provider.steps(), [])
    t.match(await payer.money(), { balance: 5_000_000, held: 0, captured: 0 })

    const next = (await payer.call('media__generate', FLUX)).data
    t.match(await finish(payer, next.id), { status: 'done' })
  })

  await t.test('a generation that the provider does not finish in time costs nothing', async t => {
    const payer = await gateway.payer()
    provider.state.pendingStatuses = 1_000
    const { id } = (await payer.call('media__generate', FLUX)).data
    await until(async () => (await payer.generations())[0]?.state === 'running')
    await jobs(3 * 3_600)
    t.match((await payer.call('media__get', { id })).data, {
      status: 'failed',
      cost_usd: 0,
      error: { code: 'provider_failed', message: /did not finish in time. Nothing was charged/ },
    })
    t.match(await payer.money(), { balance: 5_000_000, held: 0, released: 1 })
  })
})
