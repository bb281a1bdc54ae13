import t from 'tap'
import { CONVERTERS, FIELD_CONVERTERS } from '../../../services/connectors/engine/convert/converters.ts'
import { conversionState } from '../../../services/connectors/engine/convert/html-to-markdown.ts'
import { anyText } from '../../fixtures/any-text.ts'
import { cpuMs } from '../../fixtures/elapsed.ts'
import fc from '../../fixtures/property.ts'

interface Read {
  names: string[]
  headers: Record<string, string>
  body: string
}

/** Reads a message as RFC 5322, 2045 and 2047 have it. Throws for a line that is no header. */
function read(message: string): Read {
  const end = message.indexOf('\r\n\r\n')
  const lines = message
    .slice(0, end)
    .replace(/\r\n(?=[ \t])/g, '')
    .split('\r\n')
  const fields = lines.map(line => {
    const [, name, value] = /^([A-Za-z-]+): ([\x20-\x7e]*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) throw new Error(`No header: ${JSON.stringify(line)}`)
    return [name, value] as const
  })
  return { names: fields.map(([name]) => name), headers: Object.fromEntries(fields), body: message.slice(end + 4) }
}

function words(header: string): string {
  return header.replace(/=\?UTF-8\?B\?([^?]*)\?=( (?==\?))?/g, (_, word) => Buffer.from(word, 'base64').toString())
}

function partsOf({ headers, body }: Read): Record<string, string> {
  const type = headers['Content-Type'] ?? ''
  const [, boundary] = /boundary="(.*)"/.exec(type) ?? []
  if (boundary === undefined) return { [type]: Buffer.from(body, 'base64').toString() }
  const pieces = body.split(`--${boundary}`)
  if (pieces.shift() !== '' || pieces.pop() !== '--\r\n') throw new Error('The parts have no beginning or end')
  return Object.assign({}, ...pieces.map(piece => partsOf(read(piece.slice(2)))))
}

const write = (email: object) => Buffer.from(String(CONVERTERS.email(JSON.stringify(email))), 'base64url').toString()

t.test('no text of an email can add a header or a part', async t => {
  const hostile = fc.oneof(
    anyText(),
    fc
      .array(
        fc.constantFrom(
          '\r',
          '\n',
          '\r\n',
          'Bcc: eve@example.com',
          '\0',
          '\u0085',
          '\u2028',
          '=?UTF-8?Q?a?=',
          'ä',
          '<',
          '>',
          '--',
        ),
      )
      .map(parts => parts.join('')),
  )
  const name = hostile.map(text => text.replace(/[<>]/g, ''))
  const email = fc.record(
    {
      subject: hostile,
      body: hostile,
      name,
      format: fc.constantFrom('markdown', 'text'),
      in_reply_to: hostile,
      references: hostile,
    },
    { requiredKeys: ['subject', 'body', 'name'] },
  )
  fc.assert(
    fc.property(email, ({ name, ...rest }) => {
      const message = write({ to: ['ada@example.com'], cc: [`${name} <bob@example.com>`], ...rest })
      t.ok(message.split('\r\n').every(line => line.length <= 998))
      const found = read(message)
      const ids = found.names.filter(header => ['In-Reply-To', 'References'].includes(header))
      t.same(
        found.names.filter(header => !ids.includes(header)),
        [
          'To',
          'Cc',
          'Subject',
          'MIME-Version',
          'Content-Type',
          ...(rest.format === 'text' ? ['Content-Transfer-Encoding'] : []),
        ],
      )
      for (const id of ids) t.match(found.headers[id], /^<[^<>\s]+>( <[^<>\s]+>)*$/)
      t.equal(words(found.headers.Subject ?? ''), rest.subject.toWellFormed().replace(/\p{Cc}+/gu, ' '))
      t.match(found.headers.Cc, /^(=\?UTF-8\?B\?[A-Za-z0-9+/=]+\?= )*<?bob@example\.com>?$/)
      t.equal(partsOf(found)['text/plain; charset=utf-8'], rest.body.toWellFormed().replace(/\r\n?|\n/g, '\r\n'))
    }),
    { numRuns: 300 },
  )
})

t.test('an email has its recipients, formatted text, and what puts it below the answered message', async t => {
  const found = read(
    write({
      to: ['ada@example.com', 'Zoë, "Z" <zoe@example.com>'],
      bcc: ['"Bob" <bob@example.com>'],
      subject: 'Re: Grüße',
      body: 'Dear **Ada**,\nsee you.\n\n<b>',
      in_reply_to: '<c@x.test>',
      references: '<a@x.test> <b@x.test>',
    }),
  )
  t.equal(words(found.headers.To ?? ''), 'ada@example.com, Zoë, "Z" <zoe@example.com>')
  t.equal(words(found.headers.Bcc ?? ''), 'Bob <bob@example.com>')
  t.equal(words(found.headers.Subject ?? ''), 'Re: Grüße')
  t.equal(found.headers['In-Reply-To'], '<c@x.test>')
  t.equal(found.headers.References, '<a@x.test> <b@x.test> <c@x.test>')
  t.same(partsOf(found), {
    'text/plain; charset=utf-8': 'Dear **Ada**,\r\nsee you.\r\n\r\n<b>',
    'text/html; charset=utf-8': '<p>Dear <strong>Ada</strong>,<br />\r\nsee you.</p>\r\n<p>&lt;b&gt;</p>\r\n',
  })
  const long = Array.from({ length: 100 }, (_, i) => `<${i}@x.test>`).join(' ')
  const { headers } = read(
    write({ to: ['a@x.test'], subject: 's', body: '', in_reply_to: '<100@x.test>', references: long }),
  )
  t.match(headers.References, /^<0@x\.test> <82@x\.test> .* <99@x\.test> <100@x\.test>$/)
  for (const to of [
    'ada',
    'a@b@c',
    'Ada ada@x.test>',
    '<ada@x.test',
    'a@x.test, b@x.test',
    'a@x.test\r\nBcc: b@x.test',
    'ä@x.test',
  ])
    t.throws(() => write({ to: [to], subject: '', body: '' }), { code: 'invalid_request' }, to)
})

const data = (text: string | Buffer) => ({ data: Buffer.from(text).toString('base64url') })
const readPayload = (payload: unknown) =>
  FIELD_CONVERTERS['gmail-message'](payload, conversionState()) as Record<string, unknown>

t.test('a message is read as its headers, its text and its attachments', async t => {
  const payload = {
    mimeType: 'multipart/mixed',
    filename: '',
    headers: [
      { name: 'Received', value: 'from x' },
      { name: 'FROM', value: 'Ada <ada@example.com>' },
      { name: 'From', value: 'second@example.com' },
      { name: 'Message-Id', value: '<a@x.test>' },
      { name: 'References', value: '<b@x.test>\r\n <c@x.test>' },
    ],
    parts: [
      {
        mimeType: 'multipart/alternative',
        parts: [
          { mimeType: 'text/html', body: data('<p>a <b>b</b></p>') },
          { mimeType: 'text/plain', filename: '', body: data('a b ✓') },
        ],
      },
      { mimeType: 'application/pdf', filename: 'a.pdf', body: { attachmentId: 'att1', size: 12 } },
      { mimeType: 'text/plain', body: data('-- \nfooter') },
    ],
  }
  t.same(readPayload(payload), {
    from: 'Ada <ada@example.com>',
    message_id: '<a@x.test>',
    references: '<b@x.test> <c@x.test>',
    text: 'a b ✓\n\n-- \nfooter',
    attachments: [{ filename: 'a.pdf', type: 'application/pdf', size: 12, attachment_id: 'att1' }],
  })
  const html = { mimeType: 'text/html', body: data('<p>a <b>b</b></p>') }
  t.equal(readPayload(html).text, 'a **b**')
  const blank = { mimeType: 'text/plain', body: data(' \r\n') }
  t.equal(readPayload({ mimeType: 'multipart/alternative', parts: [blank, html] }).text, 'a **b**')
  const latin = { mimeType: 'text/plain', headers: [{ name: 'Content-Type', value: 'text/plain; charset=ISO-8859-1' }] }
  t.equal(readPayload({ ...latin, body: data(Buffer.from('Grüße', 'latin1')) }).text, 'Grüße')
  t.equal(readPayload({ ...latin, body: data('Grüße') }).text, 'Grüße')
  for (const other of [null, 5, 'text', [], {}]) t.equal(readPayload(other), undefined)
})

t.test('hostile messages and long threads are read within bounds', async t => {
  let deep: object = { mimeType: 'text/plain', body: data('deep') }
  for (let depth = 0; depth < 5_000; depth++) deep = { mimeType: 'multipart/mixed', parts: [deep, null, 5, []] }
  t.equal(readPayload(deep).text, '')
  for (const odd of [
    { mimeType: 5 },
    { mimeType: 'multipart/mixed', parts: {} },
    { headers: [null, 5, {}] },
    { mimeType: 'text/html', body: null },
  ])
    t.equal(readPayload(odd).text, '')
  const many = Array.from({ length: 100 }, () => ({ mimeType: 'a/b', filename: 'x' }))
  t.equal((readPayload({ mimeType: 'multipart/mixed', parts: many }).attachments as unknown[]).length, 50)
  const message = {
    id: 'm',
    snippet: 'beginning',
    payload: { mimeType: 'text/html', body: data('<p>hello world</p>'.repeat(8_000)) },
  }
  const long = Array.from({ length: 500 }, () => message)
  let messages: (typeof message)[] = []
  const took = await cpuMs(() => {
    messages = FIELD_CONVERTERS['gmail-messages'](long, conversionState()) as typeof messages
  })
  t.ok(took < 3_000, `500 long messages took ${Math.round(took)} ms`)
  t.equal(messages.length, 500)
  t.match(messages[0], { payload: { text: /^hello world/ }, snippet: undefined })
  t.same(messages[499], {
    id: 'm',
    threadId: undefined,
    labelIds: undefined,
    snippet: 'beginning',
    payload: { text: '' },
  })
  t.equal(FIELD_CONVERTERS['gmail-messages']({ no: 'such' }, conversionState()), undefined)
})
