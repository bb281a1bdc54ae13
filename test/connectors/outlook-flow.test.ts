import t from 'tap'
import { outlook } from '../../tools/connectors/outlook/connector.ts'
import { accessTo, engine, type ReceivedRequest, recordingUpstream } from '../services/connector-engine-fixture.ts'

type Item = Record<string, unknown>

/** A mailbox: messages and events are kept as they were sent. */
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
    if (id === undefined) return { status: 201, body: added(items, { isDraft: true, ...sent }) }
    const item = items.find(one => one.id === id)
    if (item === undefined)
      return { status: 404, body: { error: { code: 'ErrorItemNotFound', message: 'Not found.' } } }
    if (action === 'attachments' && method === 'POST') return { status: 201, body: added(this.attachments, sent) }
    if (action === 'attachments' && part === undefined) return { status: 200, body: { value: this.attachments } }
    if (action === 'attachments') return this.attachment(part, value)
    if (action === 'send') item.isDraft = false
    if (action === 'send') return { status: 202 }
    if (method === 'DELETE') items.splice(items.indexOf(item), 1)
    if (method === 'DELETE') return { status: 204 }
    return { status: 200, body: Object.assign(item, sent) }
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

t.test('what was written to a mailbox is read back', async t => {
  const upstream = await recordingUpstream(t)
  const mailbox = new Mailbox()
  upstream.reply = request => mailbox.answer(request)
  const { run, stored } = engine(t)
  const call = async (operation: string, args: Record<string, unknown>) => {
    const tools = outlook.tools.filter(tool => tool.operation === operation)
    const result = await run({ ...outlook, baseUrl: upstream.origin, tools }, args, accessTo(outlook))
    return (result.structuredContent ?? {}) as Record<string, string>
  }

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
