import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { resend } from '../../tools/connectors/resend/connector.ts'
import { connectFixture } from '../fixtures/connect-fixture.ts'
import {
  accessTo,
  engine,
  failureOf,
  type ReceivedRequest,
  type Reply,
  recordingUpstream,
} from '../services/connectors/connector-engine-fixture.ts'

// Requests and answers as in Resend's API reference, https://resend.com/docs/api-reference, and its SDK resend-node of
// August 2026, read in November 2026. Not tried with an account.

const EMAIL = '4ef9a417-02e9-4d39-ad75-9611e0fcc33c'
const FILE = '2a0c9ce0-3112-4728-976e-47ddcd16a318'
const SEGMENT = '78261eea-8f8b-4381-83c6-79fa7120f1cf'
const TOPIC = 'b6d24b8e-af0b-4c3c-be0c-359bbd97381e'
const MADE = { id: EMAIL }

/** Resend and its hosts for attachments on loopback, and calls of the connector's tools to them. */
async function double(t: Test, reply: (request: ReceivedRequest) => Reply = () => ({ body: MADE })) {
  const [api, files] = [await recordingUpstream(t), await recordingUpstream(t)]
  api.reply = reply
  const { run, stored } = engine(t)
  function call(operation: string, args: Record<string, unknown>, idempotencyDigest?: string) {
    const tool = resend.tools.find(tool => tool.operation === operation)
    if (tool === undefined) throw new TypeError(`Resend has no tool ${operation}`)
    const host = { url: files.origin, credential: false }
    const connector = { ...resend, baseUrl: api.origin, hosts: { inbound: host, outbound: host }, tools: [tool] }
    return run(connector, args, { ...accessTo(resend), ...(idempotencyDigest !== undefined && { idempotencyDigest }) })
  }
  const data = async (operation: string, args: Record<string, unknown>) =>
    (await call(operation, args)).structuredContent
  const sent = () => {
    const { method = '', url = '', headers = {}, body = Buffer.of() } = api.received.at(-1) ?? {}
    return { line: `${method} ${url}`, headers, json: body.length > 0 ? JSON.parse(String(body)) : undefined }
  }
  return { api, files, stored, call, data, sent }
}

const mail = (name: string) => ({ from: 'a@example.com', to: [`${name}@example.com`], subject: 'Hello', text: name })

t.test('a batch is a list of emails, which an idempotency key sends once', async t => {
  const ids = { data: [{ id: EMAIL }, { id: FILE }] }
  const { call, sent } = await double(t, () => ({ body: ids }))
  const emails = [mail('ada'), { ...mail('grace'), scheduled_at: 'in 1 hour' }]
  t.same((await call('send_batch', { emails }, 'digest')).structuredContent, ids)
  t.match(sent(), { line: 'POST /emails/batch', headers: { 'idempotency-key': 'digest' }, json: emails })
})

t.test('a template is sent with its own sender and subject unless others are given', async t => {
  const { data, sent } = await double(t)
  t.same(
    await data('send_template', { template: 'order', variables: { PRODUCT: 'Tea', PRICE: 5 }, to: ['b@x.test'] }),
    MADE,
  )
  t.match(sent(), { line: 'POST /emails' })
  t.same(sent().json, { template: { id: 'order', variables: { PRODUCT: 'Tea', PRICE: 5 } }, to: ['b@x.test'] })
  await data('send_template', { template: 'order', to: ['b@x.test'], topic: TOPIC, subject: 'Hello' })
  t.same(sent().json, { template: { id: 'order' }, to: ['b@x.test'], topic_id: TOPIC, subject: 'Hello' })
})

t.test('a received email is read without its images', async t => {
  const received = {
    object: 'email',
    ...MADE,
    from: 'Ada <ada@example.com>',
    to: ['in@example.com'],
    subject: 'Hi',
    html: '<img src="cid:img001">',
    text: null,
    headers: { 'return-path': 'ada@example.com' },
    authentication: { spf: 'pass', dkim: 'pass', dmarc: 'gray' },
    attachments: [{ id: FILE, filename: 'a.png', content_type: 'image/png', content_id: 'img001', size: 4096 }],
    raw: { download_url: 'https://example.resend.com/raw?Signature=x' },
  }
  const { data, sent } = await double(t, () => ({ body: received }))
  const { object: _, headers: __, raw: ___, text: ____, ...kept } = received
  t.same(await data('get_received_email', { email: EMAIL }), kept)
  t.equal(sent().line, `GET /emails/receiving/${EMAIL}?html_format=cid`)
})

t.test('attachments are downloaded from the signed URL, without the key, and from no other host', async t => {
  const { api, files, stored, call } = await double(t)
  const at = (origin: string) => ({ id: FILE, filename: 'plan.txt', download_url: `${origin}/${EMAIL}?signature=s` })
  files.reply = () => ({ body: 'What was planned.' })
  for (const [operation, path] of [
    ['download_received_attachment', `/emails/receiving/${EMAIL}/attachments/${FILE}`],
    ['download_email_attachment', `/emails/${EMAIL}/attachments/${FILE}`],
  ] as const) {
    api.reply = () => ({ body: at(files.origin) })
    await call(operation, { email: EMAIL, attachment: FILE, file_name: 'plan.txt' })
    t.equal(api.received.at(-1)?.url, path)
    t.match(api.received.at(-1)?.headers.authorization, /^Bearer /)
    t.match(files.received.at(-1), { method: 'GET', url: `/${EMAIL}?signature=s` })
    t.notOk(files.received.at(-1)?.headers.authorization)
    t.same(stored.at(-1), { name: 'plan.txt', bytes: Buffer.from('What was planned.') })

    api.reply = () => ({ body: at('https://drive.example') })
    t.match(await failureOf(call(operation, { email: EMAIL, attachment: FILE })), {
      message: /outside its known hosts/,
    })
  }
})

t.test('topics of a contact are changed with a list', async t => {
  const { call, sent } = await double(t)
  const topics = [{ id: TOPIC, subscription: 'opt_out' }]
  t.match(await call('update_contact_topics', { contact: 'ada@example.com', topics }), { content: [{ type: 'text' }] })
  t.match(sent(), { line: 'PATCH /contacts/ada%40example.com/topics', json: topics })
})

t.test('what is created, updated and put into a segment is read back', async t => {
  const contacts = new Map<string, Record<string, unknown>>()
  const members = new Set<string>()
  const { data, call, sent } = await double(t, ({ method, url, body }) => {
    const json = body.length > 0 ? JSON.parse(String(body)) : {}
    const { pathname, searchParams } = new URL(url, 'http://resend.test')
    const [, , id = '', segments] = pathname.split('/').map(decodeURIComponent)
    if (segments === 'segments') {
      if (method === 'POST') members.add(id)
      else members.delete(id)
      return { body: { object: 'contact_segment', contact_id: id, segment_id: SEGMENT } }
    }
    if (method === 'POST') {
      contacts.set(EMAIL, { id: EMAIL, unsubscribed: false, properties: {}, ...json })
      return { status: 201, body: { object: 'contact', id: EMAIL } }
    }
    if (method === 'PATCH') {
      contacts.set(id, { ...contacts.get(id), ...json })
      return { body: { object: 'contact', id } }
    }
    if (id !== '') return { body: { object: 'contact', ...contacts.get(id) } }
    const listed = [...contacts.values()].filter(one => !searchParams.has('segment_id') || members.has(String(one.id)))
    return { body: { object: 'list', data: listed, has_more: false } }
  })
  t.same(await data('create_contact', { email: 'ada@example.com', first_name: 'Ada', last_name: 'L.' }), { id: EMAIL })
  t.same(await data('list_contacts', { segment: SEGMENT }), { items: [] })
  await call('add_contact_to_segment', { contact: EMAIL, segment: SEGMENT })
  t.match(await data('list_contacts', { segment: SEGMENT }), { items: [{ id: EMAIL, first_name: 'Ada' }] })
  await data('update_contact', { contact: EMAIL, last_name: null, properties: { plan: 'team', old: null } })
  t.same(sent().json, { last_name: null, properties: { plan: 'team', old: null } })
  const read = await data('get_contact', { contact: EMAIL })
  t.match(read, { email: 'ada@example.com', first_name: 'Ada', properties: { plan: 'team' } })
  t.notOk('last_name' in (read ?? {}))
  await call('remove_contact_from_segment', { contact: EMAIL, segment: SEGMENT })
  t.same(await data('list_contacts', { segment: SEGMENT }), { items: [] })
  t.match(await failureOf(call('update_contact', { contact: EMAIL })), { code: 'invalid_request' })
})

t.test('a pasted key is verified, also one that may only send, and an unknown one is not stored', async t => {
  const { connecting, connectors, directory, stored } = await connectFixture(t)
  const api = await recordingUpstream(t)
  connectors.set('resend', { ...resend, baseUrl: api.origin })
  const [ada] = await directory.members('member')
  const key = () => `re_${randomBytes(16).toString('hex')}`
  const paste = (key: string) =>
    connecting.connectWithKey({ caller: ada.caller, connector: 'resend', key, scope: 'private' })

  await t.rejects(paste('not a key at all'), {
    code: 'invalid_request',
    message: /key of Resend, which begins with re_/,
  })
  t.same(api.received, [])
  const invalid = { statusCode: 400, name: 'validation_error', message: 'API key is invalid' }
  for (const body of [invalid, { statusCode: 403, name: 'invalid_api_key', message: 'API key is invalid.' }]) {
    api.reply = () => ({ status: body.statusCode, body })
    await t.rejects(paste(key()), { code: 'connect_failed', message: /Resend rejected this .*API key is invalid/ })
  }
  t.match(await stored(), { accounts: 0 })

  const sending = { name: 'restricted_api_key', message: 'This API key is restricted to only send emails' }
  api.reply = () => ({ status: 401, body: { statusCode: 401, ...sending } })
  t.match(await paste(key()), { alias: 'Resend', keyVerified: true, status: 'connected' })
  api.reply = () => ({ body: { object: 'list', has_more: false, data: [] } })
  t.match(await paste(key()), { alias: 'Resend-2', keyVerified: true })
  t.match(api.received.at(-1), { method: 'GET', url: '/domains?limit=1', headers: { authorization: /^Bearer re_/ } })
})

t.test('a key that was deleted at Resend needs a new one, although Resend calls the request invalid', async t => {
  const body = { statusCode: 400, name: 'validation_error', message: 'API key is invalid' }
  const { call } = await double(t, () => ({ status: 400, body }))
  t.match(await failureOf(call('list_domains', {})), { code: 'needs_reauth' })
})
