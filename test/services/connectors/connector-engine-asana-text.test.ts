import t from 'tap'
import { markdownToAsana } from '../../../services/connectors/engine/convert/markdown-to-asana.ts'
import { anyText } from '../../fixtures/any-text.ts'
import fc from '../../fixtures/property.ts'

t.test('Markdown becomes Asana’s rich text', async t => {
  const cases = {
    '# Plan **B**\n\nThis is **bold**, *italic*, ~~gone~~ and `a < b`.':
      '<strong>Plan B</strong>\n\nThis is <strong>bold</strong>, <em>italic</em>, <s>gone</s> and <code>a &lt; b</code>.',
    'Steps:\n- one\n- two\n  1. deep\n\nEnd': 'Steps:<ul><li>one</li><li>two<ol><li>deep</li></ol></li></ul>End',
    '- one\n\n  more\n- ```\n  code\n  ```': '<ul><li>one\nmore</li><li><code>code</code></li></ul>',
    '> quoted\n> text\n>\n> 2. two\n> 3. three': '<blockquote>quoted\ntext\n\n2. two\n3. three</blockquote>',
    '> - a\n>   - b': '<blockquote>• a\n• b</blockquote>',
    '- > quoted': '<ul><li>quoted</li></ul>',
    '```js\nif (a && "b") <c>\n```\n\nafter': '<pre>if (a &amp;&amp; &quot;b&quot;) &lt;c&gt;</pre>after',
    '[a **link**](https://x.test/?a=1&b="2") and <https://x.test>':
      '<a href="https://x.test/?a=1&amp;b=%222%22">a <strong>link</strong></a> and <a href="https://x.test">https://x.test</a>',
    '[local](/path) ![chart](https://x.test/c.png)': 'local <a href="https://x.test/c.png">chart</a>',
    'Over to [Ada **L**](asana:4168112), see [this](asana:12x)': 'Over to <a data-asana-gid="4168112"/>, see this',
    '| a | b |\n|---|---|\n| 1 | 2 |\n\nc': 'a | b\n1 | 2\n\nc',
    'a\n\n---\n\nb<br>': 'a\n\n———\n\nb&lt;br&gt;',
    'one\ntwo': 'one\ntwo',
    '**a **b** c** *d _e_ f*': '<strong>a b c</strong> <em>d e f</em>',
    '': '',
  }
  for (const [markdown, text] of Object.entries(cases)) t.equal(markdownToAsana(markdown), `<body>${text}</body>`)
})

/** The elements around each element in Asana's rich text; nothing may be in itself. */
const ALLOWED_IN: Readonly<Record<string, readonly string[]>> = {
  strong: ['body', 'li', 'blockquote', 'a', 'em', 's'],
  em: ['body', 'li', 'blockquote', 'a', 'strong', 's'],
  s: ['body', 'li', 'blockquote', 'a', 'strong', 'em'],
  code: ['body', 'li', 'blockquote', 'a', 'strong', 'em', 's'],
  a: ['body', 'li', 'blockquote', 'strong', 'em', 's'],
  ul: ['body', 'li'],
  ol: ['body', 'li'],
  li: ['ul', 'ol'],
  blockquote: ['body'],
  pre: ['body'],
}

/** Throws an error unless the text is XML with the elements of Asana where it allows them. */
function checkXml(xml: string): void {
  const open: string[] = []
  const rest = xml.replace(
    /<(\/?)([a-z]+)((?: (?:href|data-asana-gid)="[^"<>]*")?)(\/?)>/g,
    (_, end: string, name: string, _attribute: string, empty: string) => {
      if (end !== '') {
        if (open.pop() !== name) throw new Error(`${name} closes something else: ${xml}`)
        return ''
      }
      const parent = open.at(-1)
      if (name === 'body' ? parent !== undefined : !ALLOWED_IN[name]?.includes(parent ?? ''))
        throw new Error(`${name} in ${parent}: ${xml}`)
      if (empty === '') open.push(name)
      return ''
    },
  )
  if (open.length > 0) throw new Error(`${open.join()} is not closed: ${xml}`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them.
  if (/[<>\0-\x08\x0b\x0c\x0e-\x1f]|&(?!(?:amp|lt|gt|quot);)/.test(rest)) throw new Error(`Not XML: ${xml}`)
}

t.test('any text becomes XML with only the elements that Asana allows', async () => {
  const piece = fc.constantFrom(
    ...[
      '# ',
      '> ',
      '- ',
      '1. ',
      '  ',
      '\n',
      '\n\n',
      '**',
      '*',
      '~~',
      '`',
      '```\n',
      '---\n',
      '| a | b |\n|---|---|\n| c | d |\n',
    ],
    ...[
      '[a](https://x.test/?a="<&>)',
      '![b](https://x.test)',
      '[c](asana:1)',
      '[![d](u)](mailto:e)',
      '<b>',
      '&amp;',
      'word',
    ],
  )
  const markdown = fc.array(fc.oneof(piece, anyText({ maxLength: 3 })), { maxLength: 30 })
  fc.assert(
    fc.property(markdown, pieces => checkXml(markdownToAsana(pieces.join('')))),
    { numRuns: 500 },
  )
})
