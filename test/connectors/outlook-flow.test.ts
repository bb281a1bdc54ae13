import t, { type Test } from 'tap'
import { outlook } from '../../tools/connectors/outlook/connector.ts'
import {
  accessTo,
  engine,
  type ReceivedRequest,
  recordingUpstream,
} from '../services/connectors/connector-engine-fixture.ts'

type Item = Record<string, unknown>

/** How Outlook begins the draft of an answer. */
const QUOTED = '<hr><b>From:</b> Grace<p>Shall we meet on <i>Friday</i>?</p>'

/**
 * A mailbox: messages and events are kept as they were sent. It names zones as Windows does. A text that is given with an
 * answer takes the place of the quoted message, as in Graph.
 */
class Mailbox {
  readonly messages: Item[] = []
  readonly events: Item[] = []
  readonly attachments: Item[] = []

  answer({ method, url, body }: ReceivedRequest): { status: number; body?: unknown } {
    const { pathname } = new URL(url, 'http://graph.test')
    const sent = method === 'GET' || body.length === 0 ? {} : JSON.parse(body.toString())
    const [, kind, id, action, part, value] = pathname.slice(1).split('/')
    if (kind === 'mailFolders') return { status: 200, body: { value: this.messages } }
    if (kind === 'calendarView') return { status: 200, body: { value: this.events } }
    const items = kind === 'events' ? this.events : this.messages
    if (id === undefined && kind === 'events') return { status: 201, body: added(items, zoned(sent)) }
    if (id === undefined) return { status: 201, body: added(items, { isDraft: true, ...sent }) }
    const item = items.find(one => one.id === id)
    if (item === undefined)
      return { status: 404, body: { error: { code: 'ErrorItemNotFound', message: 'Not found.' } } }
    if (action?.startsWith('createReply')) {
      const body = { contentType: 'html', content: `<html><head></head><body class="x">${QUOTED}</body></html>` }
      return { status: 201, body: added(items, { isDraft: true, subject: 'Re: Friday', body, ...sent.message }) }
    }
    if (action === 'attachments' && method === 'POST') return { status: 201, body: added(this.attachments, sent) }
    if (action === 'attachments' && part === undefined) return { status: 200, body: { value: this.attachments } }
    if (action === 'attachments') return this.attachment(part, value)
    if (action === 'send') item.isDraft = false
    if (action === 'send') return { status: 202 }
    if (method === 'DELETE') items.splice(items.indexOf(item), 1)
    if (method === 'DELETE') return { status: 204 }
    return { status: 200, body: Object.assign(item, kind === 'events' ? zoned(sent) : sent) }
  }

  private attachment(id: string | undefined, value: string | undefined): { status: number; body?: unknown } {
    const { contentBytes, ...about } = this.attachments.find(one => one.id === id) ?? {}
    return { status: 200, body: value === '$value' ? Buffer.from(String(contentBytes), 'base64') : about }
  }
}

function added(items: Item[], item: Item): Item {
  items.push({ id: `i${items.length}`, ...item })
  return items.at(-1) ?? {}
}

/** The zones that Outlook remembers of the times of an event. */
function zoned({ ...event }: Item): Item {
  for (const name of ['start', 'end']) {
    const { timeZone } = Object(event[name])
    const windows = timeZone === 'Europe/Berlin' ? 'W. Europe Standard Time' : timeZone
    if (timeZone !== undefined) event[name === 'start' ? 'originalStartTimeZone' : 'originalEndTimeZone'] = windows
  }
  return event
}

async function mailboxOf(t: Test) {
  const upstream = await recordingUpstream(t)
  const mailbox = new Mailbox()
  upstream.reply = request => mailbox.answer(request)
  const { run, stored } = engine(t, { deadlineMs: 60_000 })
  const call = async (operation: string, args: Record<string, unknown>) => {
    const tools = outlook.tools.filter(tool => tool.operation === operation)
    const result = await run({ ...outlook, baseUrl: upstream.origin, tools }, args, accessTo(outlook))
    return (result.structuredContent ?? {}) as Record<string, string>
  }
  return { upstream, mailbox, stored, call }
}

t.test('what was written to a mailbox is read back', async t => {
  const { stored, call } = await mailboxOf(t)
  const { id: draft_id } = await call('create_draft', {
    to: ['ada@example.com'],
    subject: 'Notes',
    body: 'See **file**\nthanks',
  })
  const { id: attachment_id } = await call('add_attachment', { draft_id, content: 'a,b\n', file_name: 'report.csv' })
  const draft = await call('get_message', { message_id: draft_id })
  t.match(draft, { subject: 'Notes', isDraft: true, toRecipients: [{ emailAddress: { address: 'ada@example.com' } }] })
  t.match(draft.body, /^See \*\*file\*\*/)
  await call('update_draft', { draft_id, cc: ['linus@example.com'] })
  await call('send_draft', { draft_id })
  const sent = await call('list_messages', { folder_id: 'sentitems' })
  t.match(sent, { items: [{ id: draft_id, subject: 'Notes', isDraft: false }] })
  await call('mark_message', { message_id: draft_id, flag: 'flagged', is_read: true })
  t.match(await call('get_message', { message_id: draft_id }), {
    flag: { flagStatus: 'flagged' },
    isRead: true,
    ccRecipients: [{ emailAddress: { address: 'linus@example.com' } }],
  })
  t.match(await call('list_attachments', { message_id: draft_id }), {
    items: [{ id: attachment_id, name: 'report.csv' }],
  })
  await call('download_attachment', { message_id: draft_id, attachment_id })
  t.same(stored, [{ name: 'report.csv', bytes: Buffer.from('a,b\n') }])

  const times = { start: '2026-03-30T08:00:00Z', end: '2026-03-30T09:00:00Z', time_zone: 'Europe/Berlin' }
  const { id: event_id } = await call('create_event', {
    title: 'Roadmap',
    ...times,
    attendees: ['ada@example.com'],
    online_meeting: true,
  })
  await call('update_event', { event_id, location: 'Room 4' })
  const start = { dateTime: '2026-03-30T10:00:00', timeZone: 'Europe/Berlin' }
  const kept = { id: event_id, subject: 'Roadmap', start, isAllDay: false, location: { displayName: 'Room 4' } }
  t.match(await call('list_events', { from: times.start, to: times.end }), { items: [kept] })
  t.match(await call('get_event', { event_id }), { attendees: [{ emailAddress: { address: 'ada@example.com' } }] })
  await call('delete_event', { event_id })
  t.same(await call('list_events', { from: times.start, to: times.end }), { items: [] })
})

t.test('an answer stands above the message that it answers, sent at once or as a draft', async t => {
  const { upstream, mailbox, call } = await mailboxOf(t)
  const { id: message_id } = added(mailbox.messages, { subject: 'Friday' })
  const written = '<body class="x"><p>Yes,<br />\n<strong>a &lt; b</strong></p>\n'
  const body = 'Yes,\n**a < b**'
  const kinds = { reply: 'createReply', reply_all: 'createReplyAll', draft_reply: 'createReply' }
  for (const [operation, kind] of Object.entries(kinds)) {
    const result = await call(operation, { message_id, body })
    const answer = mailbox.messages.at(-1) ?? {}
    t.match(answer, { subject: 'Re: Friday', isDraft: operation === 'draft_reply' }, operation)
    const { contentType, content } = Object(answer.body)
    t.equal(contentType, 'HTML')
    t.ok(content.includes(written + QUOTED), `${operation}: ${content}`)
    t.match(upstream.received.map(({ url }) => url).join(' '), `/me/messages/${message_id}/${kind} `)
    if (operation === 'draft_reply') t.match(result, { id: answer.id, isDraft: true })
    upstream.received.length = 0
  }
  await call('draft_reply', { message_id, kind: 'createReplyAll', body })
  t.match(upstream.received[0]?.url, /\/createReplyAll$/)
  t.match(
    upstream.received.map(({ headers }) => headers.prefer),
    ['IdType="ImmutableId"', 'IdType="ImmutableId"'],
  )
})

t.test('guests who stay in an event stay what they are, and recipients of a draft keep their names', async t => {
  const { mailbox, call } = await mailboxOf(t)
  const linus = {
    type: 'optional',
    status: { response: 'accepted', time: '2026-03-01T08:00:00Z' },
    emailAddress: { name: 'Linus', address: 'Linus@example.com' },
  }
  const ada = { type: 'required', emailAddress: { name: 'Ada', address: 'ada@example.com' } }
  const { id: event_id } = added(mailbox.events, { attendees: [ada, linus] })
  await call('update_event', { event_id, attendees: ['linus@example.com', 'grace@example.com'] })
  const grace = { emailAddress: { address: 'grace@example.com' } }
  t.same(mailbox.events[0]?.attendees, [linus, { type: 'required', ...grace }])

  const { id: draft_id } = added(mailbox.messages, { toRecipients: [{ emailAddress: ada.emailAddress }] })
  await call('update_draft', { draft_id, to: ['ada@example.com', 'grace@example.com'] })
  t.same(mailbox.messages[0]?.toRecipients, [{ emailAddress: ada.emailAddress }, grace])
})

t.test('a series keeps its time zone, so that daylight saving does not move it', async t => {
  const { mailbox, upstream, call } = await mailboxOf(t)
  const { id: event_id } = await call('create_event', {
    title: 'Standup',
    start: '2026-03-23T08:00:00Z',
    end: '2026-03-23T08:15:00Z',
    time_zone: 'Europe/Berlin',
    recurrence: {
      pattern: { type: 'weekly', interval: 1, daysOfWeek: ['monday'] },
      range: { type: 'noEnd', startDate: '2026-03-23' },
    },
  })
  t.match(mailbox.events[0], { start: { dateTime: '2026-03-23T09:00:00', timeZone: 'Europe/Berlin' } })
  // A week later, summer has begun there.
  await call('update_event', { event_id, start: '2026-03-30T08:00:00Z', end: '2026-03-30T08:15:00Z' })
  const timeZone = 'W. Europe Standard Time'
  t.match(mailbox.events[0], { start: { dateTime: '2026-03-30T10:00:00', timeZone }, end: { timeZone } })
  t.equal(upstream.received.at(-1)?.headers.prefer, 'IdType="ImmutableId"', 'the answer is in UTC')
  await call('update_event', { event_id, start: '2026-03-30T08:00:00Z', time_zone: 'Asia/Tokyo' })
  t.match(mailbox.events[0], { start: { dateTime: '2026-03-30T17:00:00', timeZone: 'Asia/Tokyo' } })
  Object.assign(mailbox.events[0] ?? {}, { originalStartTimeZone: 'tzone://Microsoft/Custom' })
  await t.rejects(call('update_event', { event_id, start: '2026-03-30T08:00:00Z' }), {
    code: 'invalid_request',
    message: /"tzone:\/\/Microsoft\/Custom" is not a time zone\. Give time_zone a name/,
  })
})
