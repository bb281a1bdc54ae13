import t from 'tap'
import { adfToMarkdown } from '../../../services/connectors/engine/convert/adf-to-markdown.ts'
import { CONVERTERS, FIELD_CONVERTERS } from '../../../services/connectors/engine/convert/converters.ts'
import { conversionState, htmlToMarkdown } from '../../../services/connectors/engine/convert/html-to-markdown.ts'
import { lossesOf } from '../../../services/connectors/engine/convert/losses.ts'
import { type AdfNode, markdownToAdf } from '../../../services/connectors/engine/convert/markdown-to-adf.ts'
import { compileTemplate } from '../../../services/connectors/engine/request/template.ts'
import type { Template } from '../../../services/definitions/template.ts'
import { anyText } from '../../fixtures/any-text.ts'
import { cpuMs } from '../../fixtures/elapsed.ts'
import fc from '../../fixtures/property.ts'

const convertField = (name: keyof typeof FIELD_CONVERTERS, value: unknown) =>
  FIELD_CONVERTERS[name](value, conversionState())

const inlineText = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 ,.]{0,20}[A-Za-z0-9]$/)
const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,8}$/)
/** Inline Markdown in the form that `adfToMarkdown` writes. */
const span = fc.oneof(
  inlineText,
  word.map(text => `**${text}**`),
  word.map(text => `*${text}*`),
  word.map(text => `~~${text}~~`),
  word.map(text => `\`${text}\``),
  word.map(text => `[${text}](https://example.com/${text})`),
)
const line = fc.array(span, { minLength: 1, maxLength: 4 }).map(spans => spans.join(' '))
const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`)
const { block } = fc.letrec<{ block: string; item: string }>(tie => ({
  item: fc.oneof(
    { maxDepth: 3 },
    line,
    fc
      .tuple(line, fc.array(tie('item'), { minLength: 1, maxLength: 2 }))
      .map(([first, items]) => `${first}\n${items.map(text => `- ${indented(text, '  ')}`).join('\n')}`),
  ),
  block: fc.oneof(
    line,
    fc.array(line, { minLength: 2, maxLength: 3 }).map(lines => lines.join('\n')),
    fc.tuple(fc.integer({ min: 1, max: 6 }), line).map(([level, text]) => `${'#'.repeat(level)} ${text}`),
    fc
      .array(tie('item'), { minLength: 1, maxLength: 3 })
      .map(items => items.map(text => `- ${indented(text, '  ')}`).join('\n')),
    fc
      .array(tie('item'), { minLength: 1, maxLength: 3 })
      .map(items => items.map((text, index) => `${index + 3}. ${indented(text, '   ')}`).join('\n')),
    line.map(text => `> ${text}`),
    fc
      .tuple(word, anyText({ minLength: 1 }))
      .map(([language, code]) => `\`\`\`\`\`${language}\nx${code.replace(/[`\r\0]|\s+$/g, '')}\n\`\`\`\`\``),
    fc.constant('---'),
    fc
      .array(fc.tuple(word, word), { minLength: 1, maxLength: 3 })
      .map(rows => ['| a | b |', '| --- | --- |', ...rows.map(([a, b]) => `| ${a} | ${b} |`)].join('\n')),
  ),
}))

/** Returns what is wrong with a document by the rules of ADF. */
function faults(node: AdfNode, parent = ''): string[] {
  const content = node.content ?? []
  const types = content.map(({ type }) => type)
  const marks = (node.marks ?? []).map(({ type }) => type)
  const blocks = ['paragraph', 'bulletList', 'orderedList', 'codeBlock']
  return [
    ...(node.type === 'text' && (node.text ?? '') === '' ? ['an empty text'] : []),
    ...(marks.includes('code') && marks.some(mark => mark !== 'code' && mark !== 'link') ? ['code with marks'] : []),
    ...(new Set(marks).size < marks.length ? ['a mark twice'] : []),
    ...(parent === 'codeBlock' && marks.length > 0 ? ['a mark in code'] : []),
    ...(['listItem', 'blockquote'].includes(node.type) && !types.every(type => blocks.includes(type))
      ? [`${types} in a ${node.type}`]
      : []),
    ...(node.type === 'listItem' && types[0] !== 'paragraph' ? ['an item that begins with no paragraph'] : []),
    ...(['bulletList', 'orderedList', 'table', 'tableRow', 'doc'].includes(node.type) && types.length === 0
      ? [`an empty ${node.type}`]
      : []),
    ...content.flatMap(child => faults(child, node.type)),
  ]
}

t.test('every Markdown becomes a document that ADF allows', async t => {
  const loose = fc.oneof(
    anyText(),
    fc
      .array(
        fc.constantFrom(
          '# ',
          '- ',
          '> ',
          '1. ',
          '**',
          '*',
          '`',
          '```\n',
          '~~',
          '[a](b)',
          '![](c)',
          '|',
          '\n',
          '    ',
          'x',
          '---\n',
          '<b>',
        ),
        { maxLength: 40 },
      )
      .map(parts => parts.join('')),
  )
  fc.assert(
    fc.property(loose, text => {
      t.same(faults(markdownToAdf(text)), [], JSON.stringify(text))
    }),
    { numRuns: 500 },
  )
})

t.test('Markdown that went to Jira comes back as it was written', async t => {
  const document = fc.array(block, { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(document, parts => {
      const document = markdownToAdf(parts.join('\n\n'))
      const back = adfToMarkdown(document)
      t.same(markdownToAdf(back ?? ''), document, back ?? '')
    }),
    { numRuns: 300 },
  )
  const written =
    '# Plan\n\nShip **it** with `make` ([docs](https://x.test)).\n\n- one\n  - two\n- three\n\n1. a\n2. b\n\n> quoted'
  t.equal(adfToMarkdown(markdownToAdf(written)), written)
})

t.test('what Markdown cannot hold is named, wherever in a document it is, and nothing else is', async t => {
  const special = [
    [{ type: 'panel', content: [] }, 'panels'],
    [{ type: 'paragraph', content: [{ type: 'mention', attrs: { id: '5b1' } }] }, 'mentions'],
    [{ type: 'mediaSingle', content: [{ type: 'media' }] }, 'images and files'],
    [{ type: 'taskList', content: [{ type: 'taskItem', content: [] }] }, 'task lists'],
    [{ type: 'extension', attrs: { extensionKey: 'toc' } }, 'macros'],
    [
      { type: 'paragraph', content: [{ type: 'text', text: 'a', marks: [{ type: 'annotation' }] }] },
      'comments on parts of the text',
    ],
    [{ type: 'paragraph', content: [{ type: 'inlineCard', attrs: { data: {} } }] }, 'smart links'],
    [{ type: 'madeUp' }, 'elements of other kinds'],
  ] as const
  const document = fc.array(block, { minLength: 1, maxLength: 5 }).map(parts => markdownToAdf(parts.join('\n\n')))
  fc.assert(
    fc.property(document, fc.constantFrom(...special), fc.nat(), (doc, [node, what], at) => {
      t.same(lossesOf('adf', doc), [])
      const holders = [doc, ...(doc.content ?? [])].filter(({ type }) => type === 'doc' || type === 'blockquote')
      const holder = holders[at % holders.length] as unknown as { content: AdfNode[] }
      holder.content.splice(at % (holder.content.length + 1), 0, node as AdfNode)
      t.same(lossesOf('adf', doc), [what])
      t.same(lossesOf('adf', { body: { atlas_doc_format: { value: JSON.stringify(doc) } } }), [what])
      // What is added at the end removes nothing.
      const json = JSON.stringify({ fields: { description: doc }, markdown: 'More' })
      const added = CONVERTERS['append-to-adf'](json) as AdfNode
      t.same(added.content?.slice(0, -1), doc.content)
      t.same(lossesOf('adf', added), [what])
    }),
  )
  t.same(CONVERTERS['append-to-adf']('{"fields":{"description":null},"markdown":"a"}'), markdownToAdf('a'))
  const cards = { ...markdownToAdf('See <https://x.test/1> and <mailto:ada@example.com>.') }
  t.equal(adfToMarkdown(cards), 'See <https://x.test/1> and [ada@example.com](mailto:ada@example.com).')
  t.same(lossesOf('adf', cards), [])
  let deep: unknown = { type: 'panel' }
  for (let i = 0; i < 100_000; i++) deep = { type: 'blockquote', content: [deep] }
  t.same(lossesOf('adf', deep), ['panels'])
  const wide = { type: 'doc', content: [...Array(300_000).fill({ type: 'paragraph' }), { type: 'panel' }] }
  t.same(lossesOf('adf', wide), ['panels'])
  t.same(lossesOf('html', '<p>a <b>b</b><table><tr><td>c</table>'), [])
  t.same(lossesOf('html', '<p><img src="x"> <at id="0">Ada</at>'), ['images and embedded media', 'mentions'])
  t.same(lossesOf('notion', { markdown: '# a\n<callout>b</callout>' }), [])
  t.same(lossesOf('notion', { markdown: '<unknown url="x" alt="form"/> ![](https://x.test/a?X-Amz-Signature=b)' }), [
    'blocks that Notion does not show',
    'images and files',
  ])
})

t.test('nodes without a counterpart become their text, and other values nothing', async t => {
  const of = (...content: unknown[]) => adfToMarkdown({ type: 'doc', version: 1, content })
  const inline = (...content: unknown[]) => of({ type: 'paragraph', content })
  t.equal(inline({ type: 'mention', attrs: { id: '5b1', text: '@Ada' } }, { type: 'text', text: ' see' }), '@Ada see')
  t.equal(inline({ type: 'inlineCard', attrs: { url: 'https://x.test/1' } }), '<https://x.test/1>')
  t.equal(inline({ type: 'date', attrs: { timestamp: '1767312000000' } }), '2026-01-02')
  t.equal(
    inline({ type: 'status', attrs: { text: 'DONE' } }, { type: 'emoji', attrs: { shortName: ':tada:' } }),
    'DONE:tada:',
  )
  t.equal(
    of({
      type: 'taskList',
      content: [{ type: 'taskItem', attrs: { state: 'DONE' }, content: [{ type: 'text', text: 'a' }] }],
    }),
    '- [x] a',
  )
  t.equal(of({ type: 'panel', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Note' }] }] }), '> Note')
  t.equal(of({ type: 'mediaSingle', content: [{ type: 'media', attrs: { alt: 'a.png' } }] }), '[a.png]')
  t.equal(of({ type: 'codeBlock', content: [{ type: 'text', text: '```\nx' }] }), '````\n```\nx\n````')
  t.equal(of({ type: 'unheardOf' }, null, 5), '')
  for (const other of [null, 'text', 5, {}, { content: 'x' }, []]) t.ok([undefined, ''].includes(adfToMarkdown(other)))
})

t.test('hostile texts and documents are converted within bounds', async t => {
  const hostile = ['>', '[', '*a ', '- ', '![[', '_a', 'a**b', '<', '`a', '|a', '[a](b', '&', '\t', '~~'].map(part =>
    part.repeat(32_000 / part.length),
  )
  for (const text of hostile) {
    const took = await cpuMs(() => markdownToAdf(text))
    t.ok(took < 2_000, `${text.slice(0, 4)} took ${Math.round(took)} ms`)
  }
  let deep: unknown = { type: 'text', text: 'x' }
  for (let depth = 0; depth < 20_000; depth++) deep = { type: 'blockquote', content: [deep] }
  t.equal(typeof adfToMarkdown({ content: [deep] }), 'string')

  const text = `a${' '.repeat(64_000)}b`
  const spaces = { type: 'paragraph', content: [{ type: 'text', text, marks: [{ type: 'strong' }] }] }
  const ms = await cpuMs(() => t.equal(adfToMarkdown({ content: [spaces] }), `**${text}**`))
  t.ok(ms < 500, `a long space took ${ms} ms`)
  const code = '```\n'.repeat(200_000)
  const fence = { type: 'codeBlock', content: [{ type: 'text', text: code }] }
  t.equal(adfToMarkdown({ content: [fence] }), `\`\`\`\`\n${code}\n\`\`\`\``)
})

t.test('converters leave absent values out and keep null; each reads what the provider documents', async t => {
  const fill = (name: keyof typeof CONVERTERS, x?: unknown) =>
    compileTemplate({ $convert: name, value: '{x}' })({ args: x === undefined ? {} : { x }, settings: {} })
  for (const name of Object.keys(CONVERTERS) as (keyof typeof CONVERTERS)[]) {
    t.equal(fill(name), undefined, name)
    t.equal(fill(name, null), null, name)
  }
  t.equal(fill('markdown-to-html', '**a** <b>'), '<p><strong>a</strong> &lt;b&gt;</p>\n')
  t.equal(fill('markdown-to-html', 'a\nb'), '<p>a<br />\nb</p>\n')
  t.equal(fill('text', { a: 1 }), '{"a":1}')
  t.equal(fill('number', '10001'), 10_001)
  t.equal(fill('next-number', 7), 8)
  t.equal(fill('epoch-seconds', '2026-03-31T09:00:00Z'), 1_774_947_600)
  t.equal(fill('time-with-plain-offset', '2026-03-31T09:00:00+02:00'), '2026-03-31T07:00:00.000+0000')
  t.same(fill('date-or-time', '2026-03-31'), { date: '2026-03-31' })
  t.same(fill('date-or-time', '2026-03-31T09:00:00Z'), { dateTime: '2026-03-31T09:00:00Z' })
  t.same(fill('id-or-key', 'eng-1'), { key: 'ENG-1' })
  t.same(fill('id-or-key', '10001'), { id: '10001' })
  fc.assert(
    fc.property(
      // Others are binary data.
      anyText().filter(text => !/[\p{Cc}\ufffd]|^%PDF/u.test(text.toWellFormed())),
      text => {
        t.equal(convertField('base64-to-text', fill('base64', text)), text.toWellFormed())
        t.equal(convertField('base64-to-text', fill('base64url', text)), text.toWellFormed())
        t.notMatch(fill('base64url', text), /[+/=]/)
      },
    ),
  )
  t.equal(convertField('adf-to-markdown', JSON.stringify(markdownToAdf('a **b**'))), 'a **b**')
  for (const text of ['', '{', '7', '{"__proto__":{}}']) t.equal(convertField('adf-to-markdown', text), undefined)
  t.equal(convertField('html-to-markdown', '<p>a <b>b</b></p>'), 'a **b**')
  t.equal(convertField('epoch-seconds-to-time', 1_774_947_600), '2026-03-31T09:00:00.000Z')
  t.equal(convertField('body-to-markdown', { contentType: 'HTML', content: '<p>a <b>b</b></p>' }), 'a **b**')
  t.equal(convertField('body-to-markdown', { contentType: 'text', content: 'a <b>\n c' }), 'a <b>\n c')
  for (const convert of Object.values(FIELD_CONVERTERS)) t.equal(convert({ no: 'such' }, conversionState()), undefined)
})

t.test('a document is sent as its JSON where a provider expects text, and texts are concatenated', async t => {
  const document = { $convert: 'text', value: { $convert: 'markdown-to-adf', value: '{x}' } } as const
  const fill = (args: Record<string, unknown>) =>
    compileTemplate({ document, both: { $concat: ['{a}', '-', { $convert: 'markdown-to-html', value: '{x}' }] } })({
      args,
      settings: {},
    })
  t.same(fill({ a: 1, x: 'b' }), { document: JSON.stringify(markdownToAdf('b')), both: '1-<p>b</p>\n' })
  t.same(fill({ x: 'b' }), { document: JSON.stringify(markdownToAdf('b')) })
  t.same(fill({ a: 1 }), undefined)
})

t.test('an object argument adds members, and cannot replace those with their own argument', async t => {
  const fill = (fields: unknown, title?: string) =>
    compileTemplate({ title: '{title}', kind: 'x', '...': '{fields}' })({
      args: { ...(title !== undefined && { title }), ...(fields !== undefined && { fields }) } as Record<
        string,
        unknown
      >,
      settings: {},
    })
  t.same(fill({ a: 1, b: { c: null } }, 't'), { title: 't', kind: 'x', a: 1, b: { c: null } })
  t.same(fill(undefined, 't'), { title: 't', kind: 'x' })
  for (const name of ['title', 'kind'])
    t.throws(() => fill({ [name]: 1 }, 't'), {
      code: 'invalid_request',
      message: `${name} has its own argument. Leave it out of the object.`,
    })
  const start = { start: { '...': '{start}', zone: '{zone}' }, end: { '...': '{end}', kind: 'x' } }
  const within = (args: Record<string, unknown>) => compileTemplate(start)({ args, settings: {} })
  t.same(within({ start: { date: '1' } }), { start: { date: '1' } })
  t.same(within({ zone: 'z', end: {} }), { start: { zone: 'z' } }, 'an object in which nothing was filled is left out')
  const hostile = JSON.parse('{"__proto__": {"admin": true}}')
  const filled = fill(hostile) as Record<string, unknown>
  t.equal(Object.getPrototypeOf(filled), Object.prototype)
  t.equal(JSON.stringify(filled), '{"kind":"x","__proto__":{"admin":true}}')
})

t.test('each item of a list is sent in the form of its part, and an absent list is left out', async t => {
  const fill = (guests?: unknown) =>
    compileTemplate({ guests: { $each: 'guests', part: { email: '{item}', by: '{by}' } }, last: '{item}' })({
      args: { ...(guests !== undefined && { guests }), by: 'ada' } as Record<string, unknown>,
      settings: {},
    })
  t.same(fill(['a', 'b']), {
    guests: [
      { email: 'a', by: 'ada' },
      { email: 'b', by: 'ada' },
    ],
  })
  t.same(fill([]), { guests: [] })
  t.same(fill(null), { guests: null })
  t.equal(fill(), undefined)
})

t.test('no HTML of an email holds up the gateway, and one result converts a bounded amount', async t => {
  const pages = {
    quotes: `${'<blockquote>'.repeat(2_000)}${'x<br>'.repeat(50_000)}`,
    code: `${'<code>'.repeat(20_000)}${'x<br>'.repeat(30_000)}`,
    lists: `${'<ul><li>'.repeat(5_000)}${'x<br>'.repeat(40_000)}`,
    tables: `${'<table><tr><td>'.repeat(5_000)}${'x<br>'.repeat(40_000)}`,
    headings: '<h1>'.repeat(70_000),
    brackets: '<'.repeat(300_000),
  }
  for (const [name, html] of Object.entries(pages)) {
    const taken = await cpuMs(() => htmlToMarkdown(html, conversionState()))
    t.ok(taken < 2_000, `${name} took ${Math.round(taken)} ms`)
  }
  const quoted = JSON.stringify({ text: 'x', quoted: '<body '.repeat(100_000) })
  const quoting = await cpuMs(() => CONVERTERS['answer-html'](quoted))
  t.ok(quoting < 2_000, `a quoted message took ${Math.round(quoting)} ms`)
  const html = conversionState()
  const convert = FIELD_CONVERTERS['html-to-markdown']
  t.match(convert(`<p>${'x '.repeat(200_000)}`, html), /^x x/)
  t.equal(convert('<p>y', html), '(omitted: the result has too much HTML; request fewer items)')
})

t.test('parts of several lists are items of one array, and read the members of their items', async t => {
  const changes: Template = [
    { $each: 'files', part: { path: '{item.path}', mode: { $either: ['{item.mode}', '644'] } } },
    { $each: 'gone', part: { path: '{item}', sha: null } },
    'end',
  ]
  const fill = (args: Record<string, unknown>) => compileTemplate({ changes, x: 1 })({ args, settings: {} })
  const text = fc.string()
  const file = fc.record({ path: text, mode: text }, { requiredKeys: ['path'] })
  fc.assert(
    fc.property(fc.option(fc.array(file), { nil: undefined }), fc.array(text), (files, gone) => {
      t.same(fill({ ...(files && { files }), gone }), {
        changes: [
          ...(files ?? []).map(({ path, mode = '644' }) => ({ path, mode })),
          ...gone.map(path => ({ path, sha: null })),
          'end',
        ],
        x: 1,
      })
    }),
  )
})
