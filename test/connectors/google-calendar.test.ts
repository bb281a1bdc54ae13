import t, { type Test } from 'tap'
import { googleCalendar } from '../../tools/connectors/google-calendar/connector.ts'
import {
  accessTo,
  engine,
  type ReceivedRequest,
  type Reply,
  recordingUpstream,
} from '../services/connectors/connector-engine-fixture.ts'

type Item = Record<string, unknown>

const EVENT: Item = {
  id: 'e1',
  summary: 'Roadmap',
  start: { dateTime: '2026-03-30T10:00:00+02:00', timeZone: 'Europe/Berlin' },
  end: { dateTime: '2026-03-30T11:00:00+02:00', timeZone: 'Europe/Berlin' },
  attendees: [
    { email: 'ada@example.com', displayName: 'Ada', responseStatus: 'accepted', comment: 'With slides' },
    { email: 'Linus@example.com', responseStatus: 'declined', optional: true },
    { email: 'room4@resource.calendar.example.com', resource: true, responseStatus: 'accepted' },
  ],
}

/**
 * A calendar of one event that Google's guides describe: PATCH merges objects, null removes a field, lists are replaced,
 * and a guest without an answer has not answered (https://developers.google.com/workspace/calendar/api/guides).
 */
class Calendar {
  event = structuredClone(EVENT)
  private version = 1

  answer({ method, headers, body }: ReceivedRequest): Reply {
    const etag = `"${this.version}"`
    if (method === 'GET') return { body: { ...this.event, etag } }
    if (headers['if-match'] !== undefined && headers['if-match'] !== etag)
      return refused(412, 'conditionNotMet', 'Precondition Failed')
    const changed = merged(this.event, JSON.parse(body.toString())) as Item
    for (const time of [changed.start, changed.end] as Item[])
      if ((time.date === undefined) === (time.dateTime === undefined))
        return refused(400, 'invalid', 'Invalid start time.')
    const attendees = changed.attendees as Item[] | undefined
    this.event = {
      ...changed,
      ...(attendees && { attendees: attendees.map(guest => ({ responseStatus: 'needsAction', ...guest })) }),
    }
    this.version++
    return { body: { ...this.event, etag: `"${this.version}"` } }
  }
}

function refused(status: number, reason: string, message: string): Reply {
  return { status, body: { error: { code: status, message, errors: [{ domain: 'global', reason, message }] } } }
}

function merged(value: unknown, change: unknown): unknown {
  if (typeof change !== 'object' || change === null || Array.isArray(change)) return change
  const result: Item = { ...(value as Item) }
  for (const [name, member] of Object.entries(change)) {
    if (member === null) delete result[name]
    else result[name] = merged(result[name], member)
  }
  return result
}

async function calendarOf(t: Test) {
  const upstream = await recordingUpstream(t)
  const calendar = new Calendar()
  upstream.reply = request => calendar.answer(request)
  const { run } = engine(t, { deadlineMs: 60_000 })
  const call = async (operation: string, args: Item) => {
    const tools = googleCalendar.tools.filter(tool => tool.operation === operation)
    const result = await run({ ...googleCalendar, baseUrl: upstream.origin, tools }, args, accessTo(googleCalendar))
    return result.structuredContent ?? {}
  }
  return { upstream, calendar, call }
}

t.test('guests who stay in an event keep their answers, names and comments', async t => {
  const { calendar, call } = await calendarOf(t)
  const [ada, linus] = calendar.event.attendees as Item[]
  const attendees = ['ADA@example.com', 'linus@example.com', 'grace@example.com']
  await call('update_event', { event_id: 'e1', attendees })
  t.same(calendar.event.attendees, [ada, linus, { email: 'grace@example.com', responseStatus: 'needsAction' }])
  await call('update_event', { event_id: 'e1', attendees: [] })
  t.same(calendar.event.attendees, [])
  delete calendar.event.attendees
  await call('update_event', { event_id: 'e1', attendees: ['ada@example.com'] })
  t.same(
    calendar.event.attendees,
    [{ email: 'ada@example.com', responseStatus: 'needsAction' }],
    'without guests before',
  )
})

t.test('an answer that arrives while the guests are changed is not lost', async t => {
  const { upstream, calendar, call } = await calendarOf(t)
  upstream.reply = request => {
    const reply = calendar.answer(request)
    if (request.method === 'GET')
      calendar.answer({ ...request, method: 'PATCH', body: Buffer.from('{"attendees":[{"email":"ada@example.com"}]}') })
    return reply
  }
  await t.rejects(call('update_event', { event_id: 'e1', attendees: ['grace@example.com'] }), {
    code: 'upstream_rejected',
    message: /at the same time\. Call again\./,
  })
  t.match(calendar.event.attendees, [{ email: 'ada@example.com' }])
})

t.test('an event becomes one of whole days and one with times again, without the other form', async t => {
  const { upstream, calendar, call } = await calendarOf(t)
  await call('update_event', { event_id: 'e1', start: '2026-03-30', end: '2026-04-01' })
  t.match(calendar.event, { start: { date: '2026-03-30', dateTime: undefined }, end: { date: '2026-04-01' } })
  const times = { start: '2026-03-30T10:00:00+02:00', end: '2026-03-30T11:00:00+02:00' }
  await call('update_event', { event_id: 'e1', ...times, time_zone: 'Europe/Berlin' })
  t.same([calendar.event.start, calendar.event.end], [EVENT.start, EVENT.end])
  await call('update_event', { event_id: 'e1', title: 'Plans' })
  t.equal(String(upstream.received.at(-1)?.body), '{"summary":"Plans"}', 'times that are not given stay')
})

t.test('guests are notified of every change unless the call says otherwise, and each tool says so', async t => {
  const { upstream, call } = await calendarOf(t)
  const writing = googleCalendar.tools.filter(({ annotations }) => !annotations.readOnlyHint)
  t.ok(writing.length >= 6)
  for (const { operation, description, input } of writing) {
    t.match(description, /unless notify says otherwise/, operation)
    t.match(input.properties.notify, { enum: ['all', 'external_only', 'none'], default: 'all' }, operation)
  }
  const sent = async (notify?: string) => {
    await call('update_event', { event_id: 'e1', title: 'Plans', ...(notify && { notify }) })
    return new URL(upstream.received.at(-1)?.url ?? '', upstream.origin).searchParams.get('sendUpdates')
  }
  t.same([await sent(), await sent('external_only'), await sent('none')], ['all', 'externalOnly', 'none'])
})
