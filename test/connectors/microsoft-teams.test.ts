import t from 'tap'
import { GatewayError } from '../../lib/errors/errors.ts'
import { microsoftTeams } from '../../tools/connectors/microsoft-teams/connector.ts'
import { rejectionOf } from '../fixtures/rejection.ts'
import {
  accessTo,
  engine,
  type ReceivedRequest,
  recordingUpstream,
} from '../services/connectors/connector-engine-fixture.ts'
import { type Exchange, exchange, given } from './exchange.ts'

// Requests and answers that no description covers, from https://learn.microsoft.com/graph/api/overview?view=graph-rest-1.0
// (read on 2026-11-25): user-list-joinedteams, chat-post, chat-post-messages, user-list, presence-get,
// search-concept-chat-messages.

const ME = '11111111-1111-4111-8111-111111111111'
const ADA = '8b081ef6-4792-4def-b2c9-c363a1bf41d5'
const LINUS = '82af01c5-f7cc-4a2e-a728-3a5df21afd9d'
const CHAT = '19:2da4c29f6d7041eca70b638b43d45437@thread.v2'

const send = (operation: string, args: Record<string, unknown>, answer: Exchange['answer'] = { body: { value: [] } }) =>
  exchange(microsoftTeams, {}, { operation, args, answer })

t.test('people are found by name or address, in the mode of Entra in which they can be searched', async t => {
  const { sent } = await send('search_people', { query: 'Ada "L"' })
  t.match(sent.headers, { consistencylevel: 'eventual' })
  t.match(sent.query, { $search: '"displayName:Ada \\"L\\"" OR "mail:Ada \\"L\\""', $top: '10' })
  t.equal((await send('list_teams', {})).sent.path, '/v1.0/me/joinedTeams')
  t.equal((await send('get_presence', { user_id: ADA }, { body: {} })).sent.path, `/v1.0/users/${ADA}/presence`)
})

t.test('a search goes on where it ended, and one without hits is empty', async t => {
  const resource = { id: '1657782060227', chatId: CHAT, channelIdentity: {}, etag: '1' }
  const page = (hits?: unknown[], more = false) => ({
    body: {
      value: [
        { searchTerms: ['x'], hitsContainers: [{ ...(hits && { hits }), total: 1, moreResultsAvailable: more }] },
      ],
    },
  })
  const first = await send(
    'search_messages',
    { query: 'x', limit: 1 },
    page([{ rank: 1, summary: '…x', resource }], true),
  )
  const asked = { entityTypes: ['chatMessage'], query: { queryString: 'x' }, size: 1 }
  t.same(first.sent.body, { requests: [{ ...asked, from: 0 }] })
  const { items, next_cursor } = given(first.result) as { items: unknown; next_cursor: string }
  t.same(items, [{ summary: '…x', resource: { id: resource.id, chatId: CHAT } }])
  const second = await send('search_messages', { query: 'x', limit: 1, cursor: next_cursor }, page())
  t.same(second.sent.body, { requests: [{ ...asked, from: 1 }] })
  t.same(given(second.result), { items: [] })
})

t.test('messages of a chat are filtered by the time by which they are ordered', async t => {
  const { sent } = await send('read_chat', { chat_id: CHAT, changed_after: '2026-03-31T09:00:00+02:00' })
  t.equal(sent.path, `/v1.0/chats/${encodeURIComponent(CHAT)}/messages`)
  t.match(sent.query, {
    $filter: 'lastModifiedDateTime gt 2026-03-31T09:00:00+02:00',
    $orderby: 'lastModifiedDateTime desc',
  })
  const from = { user: { id: ADA, displayName: 'Ada', userIdentityType: 'aadUser' }, application: null }
  const body = { contentType: 'html', content: '<p>Hello <at id="0">Linus</at></p>' }
  const answer = { body: { value: [{ id: '1', from, body, etag: '1' }] } }
  t.same(given((await send('read_chat', { chat_id: CHAT }, answer)).result), {
    items: [{ id: '1', from: { user: { id: ADA, displayName: 'Ada' } }, body: 'Hello Linus' }],
  })
})

/** Teams with one person, who creates chats and sends messages to them. */
class Teams {
  readonly chats: { id: string; chatType: string; topic?: string; members: string[] }[] = []
  readonly messages = new Map<string, unknown[]>()

  answer({ method, url, body }: ReceivedRequest): { status: number; body: unknown } {
    const { pathname } = new URL(url, 'http://graph.test')
    const sent = body.length === 0 ? undefined : JSON.parse(body.toString())
    const [, chat = ''] = /^\/chats\/([^/]+)\/messages$/.exec(pathname) ?? []
    if (pathname === '/me') return { status: 200, body: { id: ME } }
    if (method === 'POST' && pathname === '/chats') return { status: 201, body: this.create(sent) }
    const messages = this.messages.get(decodeURIComponent(chat))
    if (messages === undefined) return { status: 404, body: { error: { code: 'NotFound', message: 'No thread.' } } }
    if (method === 'POST') messages.push({ id: String(messages.length + 1), ...sent })
    return { status: 200, body: method === 'POST' ? messages.at(-1) : { value: messages.toReversed() } }
  }

  private create({
    chatType,
    topic,
    members,
  }: {
    chatType: string
    topic?: string
    members: Record<string, string>[]
  }) {
    const ids = members.map(
      one => /^https:\/\/graph\.microsoft\.com\/v1\.0\/users\('(.+)'\)$/.exec(one['user@odata.bind'] ?? '')?.[1] ?? '',
    )
    const there = this.chats.find(one => chatType === 'oneOnOne' && String(one.members) === String(ids))
    if (there !== undefined) return there
    const chat = { id: `19:${this.chats.length}@thread.v2`, chatType, ...(topic && { topic }), members: ids }
    this.chats.push(chat)
    this.messages.set(chat.id, [])
    return chat
  }
}

t.test('a message to a person is in the chat with them, and one to a group in its chat', async t => {
  const upstream = await recordingUpstream(t)
  const teams = new Teams()
  upstream.reply = request => teams.answer(request)
  const { run } = engine(t)
  const call = async (operation: string, args: Record<string, unknown>) => {
    const tools = microsoftTeams.tools.filter(tool => tool.operation === operation)
    const connector = { ...microsoftTeams, baseUrl: upstream.origin, tools }
    return (await run(connector, args, accessTo(microsoftTeams))).structuredContent as Record<string, string>
  }
  await call('message_person', { user_id: ADA, text: 'The demo is at **10**' })
  await call('message_person', { user_id: ADA, text: 'Bring a cable' })
  t.same(teams.chats, [{ id: '19:0@thread.v2', chatType: 'oneOnOne', members: [ME, ADA] }], 'one chat is used again')
  t.match(await call('read_chat', { chat_id: '19:0@thread.v2' }), {
    items: [{ body: 'Bring a cable' }, { body: 'The demo is at **10**' }],
  })
  const { id } = await call('create_chat', { topic: 'Offsite', user_ids: [ADA, LINUS] })
  t.match(teams.chats.at(-1), { chatType: 'group', topic: 'Offsite', members: [ME, ADA, LINUS] })
  await call('send_chat_message', { chat_id: id, text: 'Who brings food?' })
  t.match(await call('read_chat', { chat_id: id }), { items: [{ body: 'Who brings food?' }] })
  const unknown = await rejectionOf(
    call('send_chat_message', { chat_id: '19:none@thread.v2', text: 'x' }),
    GatewayError,
  )
  t.match(unknown, { code: 'upstream_rejected', message: /No thread.*Take the IDs from the list tools/ })
})
