import t from 'tap'
import { outlook } from '../../tools/connectors/outlook/connector.ts'
import { type Exchange, exchange, given } from './exchange.ts'

// Requests and answers that no description covers, from https://learn.microsoft.com/graph/api/overview?view=graph-rest-1.0
// (read on 2026-11-25): message-forward, message-move, mailfolder-list-childfolders,
// attachment-get, message-post-attachments, user-findmeetingtimes, calendar-getschedule, event-accept, event-cancel,
// user-list-people, search-concept-events.

const IMMUTABLE = 'IdType="ImmutableId"'
const html = (content: string) => ({ contentType: 'HTML', content })
const send = (operation: string, args: Record<string, unknown>, answer: Exchange['answer'] = { body: { value: [] } }) =>
  exchange(outlook, {}, { operation, args, answer })

type Row = [operation: string, args: Record<string, unknown>, line: string, sent?: Record<string, unknown>]

const ROWS: Row[] = [
  [
    'forward',
    { message_id: 'm', to: ['grace@example.com'], comment: 'Please pay' },
    'POST /me/messages/m/forward',
    { toRecipients: [{ emailAddress: { address: 'grace@example.com' } }], comment: 'Please pay' },
  ],
  ['send_draft', { draft_id: 'm' }, 'POST /me/messages/m/send'],
  ['create_folder', { name: 'Travel' }, 'POST /me/mailFolders', { displayName: 'Travel' }],
  ['list_subfolders', { folder_id: 'inbox' }, 'GET /me/mailFolders/inbox/childFolders?$top=100'],
  ['move_message', { message_id: 'm', folder_id: 'archive' }, 'POST /me/messages/m/move', { destinationId: 'archive' }],
  ['delete_message', { message_id: 'm' }, 'POST /me/messages/m/move', { destinationId: 'deleteditems' }],
  ['list_attachments', { message_id: 'm' }, 'GET /me/messages/m/attachments?$select=id,name,contentType,size,isInline'],
  ['search_people', { query: 'Ada "L"' }, 'GET /me/people?$search="Ada \\"L\\""&$top=10'],
  [
    'find_meeting_times',
    {
      attendees: ['ada@example.com'],
      minutes: 45,
      from: '2026-03-30T08:00:00Z',
      to: '2026-03-31T16:00:00Z',
      time_zone: 'Europe/Berlin',
    },
    'POST /me/findMeetingTimes',
    {
      attendees: [{ type: 'required', emailAddress: { address: 'ada@example.com' } }],
      timeConstraint: {
        timeSlots: [
          {
            start: { dateTime: '2026-03-30T10:00:00', timeZone: 'Europe/Berlin' },
            end: { dateTime: '2026-03-31T18:00:00', timeZone: 'Europe/Berlin' },
          },
        ],
      },
      meetingDuration: 'PT45M',
      returnSuggestionReasons: true,
    },
  ],
  [
    'find_busy_times',
    { people: ['ada@example.com'], from: '2026-03-30T08:00:00+02:00', to: '2026-03-30T16:00:00Z' },
    'POST /me/calendar/getSchedule',
    {
      schedules: ['ada@example.com'],
      startTime: { dateTime: '2026-03-30T06:00:00', timeZone: 'UTC' },
      endTime: { dateTime: '2026-03-30T16:00:00', timeZone: 'UTC' },
    },
  ],
  [
    'answer_invitation',
    { event_id: 'e', answer: 'tentativelyAccept', comment: 'Late' },
    'POST /me/events/e/tentativelyAccept',
    { comment: 'Late', sendResponse: true },
  ],
  [
    'answer_invitation',
    { event_id: 'e', answer: 'decline', notify: false },
    'POST /me/events/e/decline',
    { sendResponse: false },
  ],
  ['cancel_event', { event_id: 'e' }, 'POST /me/events/e/cancel', {}],
  [
    'search_events',
    { query: 'audit', limit: 5 },
    'POST /search/query',
    { requests: [{ entityTypes: ['event'], query: { queryString: 'audit' }, from: 0, size: 5 }] },
  ],
]

for (const [operation, args, line, body] of ROWS)
  t.test(`outlook__${operation} sends ${line}`, async t => {
    const { sent, error } = await send(operation, args)
    t.equal(error, undefined)
    const query = Object.entries(sent.query ?? {}).map(([name, value]) => `${name}=${value}`)
    const path = sent.path.replace('/v1.0', '')
    t.equal(`${sent.method} ${path}${query.length > 0 ? `?${query.join('&')}` : ''}`, line)
    if (body !== undefined) t.same(sent.body, body)
    t.match(sent.headers?.prefer, IMMUTABLE, 'IDs stay the same when an item moves')
  })

t.test('an answer without a body, which a sent email has, is a confirmation', async t => {
  const args = { to: ['ada@example.com'], subject: 'Hi', body: 'Hi' }
  const { sent, result } = await send('send_email', args, { status: 202, headers: { 'content-type': '' } })
  t.equal(given(result), 'Outlook accepted the email for sending.')
  t.same(sent.body, {
    message: {
      toRecipients: [{ emailAddress: { address: 'ada@example.com' } }],
      subject: 'Hi',
      body: html('<p>Hi</p>\n'),
    },
  })
  t.match((await send('forward', { message_id: 'm', to: ['a@b.test'] }, { status: 202 })).sent.body, {
    comment: undefined,
  })
})

t.test('a search is one quoted text; a list is filtered by what it sorts by first', async t => {
  const search = await send('search_messages', { query: 'from:"Ada L" offsite' })
  t.match(search.sent.query, { $search: '"from:\\"Ada L\\" offsite"', $filter: undefined, $orderby: undefined })
  const list = await send('list_messages', { is_read: false, from: "o'neil@example.com" })
  t.equal(list.sent.path, '/v1.0/me/mailFolders/inbox/messages')
  t.match(list.sent.query, {
    $filter:
      "receivedDateTime ge 1970-01-01T00:00:00Z and isRead eq false and from/emailAddress/address eq 'o''neil@example.com'",
    $orderby: 'receivedDateTime desc',
  })
  const conversation = await send('get_conversation', { conversation_id: 'AAQk=' })
  t.match(conversation.sent.query, { $filter: "conversationId eq 'AAQk='", $orderby: undefined })
})

t.test('the next page is what @odata.nextLink asks for, by either of its positions', async t => {
  for (const [name, value] of Object.entries({ $skip: '25', $skiptoken: 'a+b/c==' })) {
    const link = `https://graph.microsoft.com/v1.0/me/messages?%24top=25&${encodeURIComponent(name)}=${encodeURIComponent(value)}`
    const first = await send(
      'search_messages',
      { query: 'x' },
      { body: { value: [{ id: 'm1' }], '@odata.nextLink': link } },
    )
    const { next_cursor } = given(first.result) as { next_cursor: string }
    const { sent } = await send('search_messages', { query: 'x', cursor: next_cursor })
    t.match(sent.query, { $search: '"x"', $top: '25', [name]: value })
    t.equal(Object.keys(sent.query ?? {}).filter(key => key.startsWith('$skip')).length, 1)
  }
})

t.test('the text of a message is Markdown, and plain text stays as it is', async t => {
  const read = async (body: object) =>
    given((await send('get_message', { message_id: 'm' }, { body: { id: 'm', subject: 'S', body } })).result)
  t.same(await read({ contentType: 'html', content: '<html><body><p>Hi <b>Ada</b></p></body></html>' }), {
    id: 'm',
    subject: 'S',
    body: 'Hi **Ada**',
  })
  t.match(await read({ contentType: 'text', content: 'a <b>\n  c' }), { body: 'a <b>\n  c' })
})

t.test('times are those of the zone that was asked for; a day is an all-day event', async t => {
  const list = await send('list_events', {
    from: '2026-03-30T00:00:00+02:00',
    to: '2026-03-31T00:00:00+02:00',
    time_zone: 'Europe/Berlin',
  })
  t.equal(list.sent.headers?.prefer, `${IMMUTABLE}, outlook.timezone="Europe/Berlin"`)
  t.match(list.sent.query, { startDateTime: '2026-03-30T00:00:00+02:00', $orderby: 'start/dateTime' })
  const day = await send(
    'create_event',
    { title: 'Trip', start: '2026-03-30', end: '2026-04-01', time_zone: 'Asia/Tokyo' },
    { body: { id: 'e' } },
  )
  t.same(day.sent.body, {
    subject: 'Trip',
    start: { dateTime: '2026-03-30T00:00:00', timeZone: 'Asia/Tokyo' },
    end: { dateTime: '2026-04-01T00:00:00', timeZone: 'Asia/Tokyo' },
    isAllDay: true,
  })
  const rule = { pattern: { type: 'daily', interval: 1 }, range: { type: 'noEnd', startDate: '2026-03-30' } }
  const times = { start: '2026-03-30T08:00:00Z', end: '2026-03-30T09:00:00Z' }
  for (const operation of ['create_event', 'create_calendar_event'])
    await t.rejects(send(operation, { title: 'Standup', ...times, recurrence: rule, calendar_id: 'c' }), {
      code: 'invalid_request',
      message: 'recurrence needs time_zone. Give both arguments.',
    })
  const title = await send('update_event', { event_id: 'e', title: 'Trip 2' }, { body: { id: 'e' } })
  t.same(title.sent.body, { subject: 'Trip 2' }, 'times that are not given stay')
  const emptied = await send(
    'update_event',
    { event_id: 'e', body: '', location: '', attendees: [] },
    { body: { id: 'e' } },
  )
  t.same(emptied.sent.body, { body: html(''), location: { displayName: '' }, attendees: [] })
  await t.rejects(send('update_event', { event_id: 'e' }), { code: 'invalid_request', message: /Nothing would change/ })
})

t.test('the errors of Microsoft Graph keep their words, and say what to do', async t => {
  const refuse = async (status: number, code: string, message: string, headers = {}) =>
    (await send('get_message', { message_id: 'm' }, { status, headers, body: { error: { code, message } } })).error
  t.match(await refuse(404, 'ErrorItemNotFound', 'The specified object was not found in the store.'), {
    code: 'upstream_rejected',
    message: /not found in the store.*Search for it again/,
  })
  t.match(await refuse(429, 'ApplicationThrottled', 'Over its limit.', { 'retry-after': '9' }), {
    code: 'upstream_rate_limited',
    retryAfter: 9,
  })
  t.match(await refuse(401, 'InvalidAuthenticationToken', 'Access token has expired.'), { message: /expired/ })
})
