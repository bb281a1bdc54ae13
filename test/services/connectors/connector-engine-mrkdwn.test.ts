import t from 'tap'
import { markdownToMrkdwn, mrkdwnToMarkdown } from '../../../services/connectors/engine/convert/mrkdwn.ts'
import { anyText } from '../../fixtures/any-text.ts'
import fc from '../../fixtures/property.ts'

t.test('Markdown becomes Slack’s mrkdwn', async t => {
  const cases = {
    '# Plan **B**\n\nThis is **bold**, *italic*, ~~gone~~ and `a < b`.':
      '*Plan B*\n\nThis is *bold*, _italic_, ~gone~ and `a &lt; b`.',
    '- one\n- two\n  1. deep\n  2. deeper': '• one\n• two\n    1. deep\n    2. deeper',
    '3. three\n4. four': '3. three\n4. four',
    '> quoted\n> text\n>\n> more': '> quoted\n> text\n> \n> more',
    '```js\nif (a && b) <c>\n```': '```\nif (a &amp;&amp; b) &lt;c&gt;\n```',
    '[a | link](https://x.test/a|b) and <https://x.test>':
      '<https://x.test/a%7Cb|a | link> and <https://x.test|https://x.test>',
    '![chart](https://x.test/c.png)': '<https://x.test/c.png|chart>',
    '| a | b |\n|---|---|\n| 1 | 2 |': 'a | b\n1 | 2',
    'Hi <@U0123456789>, see <#C0123456789|general> <!here> <!evil> & <b>':
      'Hi <@U0123456789>, see <#C0123456789|general> <!here> &lt;!evil&gt; &amp; &lt;b&gt;',
    'a\n\n---\n\nb': 'a\n\n———\n\nb',
    'one\ntwo': 'one\ntwo',
  }
  for (const [markdown, mrkdwn] of Object.entries(cases)) t.equal(markdownToMrkdwn(markdown), mrkdwn)
})

t.test('Slack’s mrkdwn becomes Markdown', async t => {
  const cases = {
    '*bold* _italic_ ~gone~ `a &lt; *b*`': '**bold** _italic_ ~~gone~~ `a < *b*`',
    '2*3*4 and * no * and **': '2*3*4 and * no * and **',
    '```\n*no* &amp;\n```\n• one': '```\n*no* &\n```\n- one',
    '<https://x.test/a?b=1&amp;c=2|a *link*> <https://x.test>': '[a *link*](https://x.test/a?b=1&c=2) <https://x.test>',
    '<@U0123456789> in <#C0123456789|general>: &lt;b&gt; &amp;amp;':
      '<@U0123456789> in <#C0123456789|general>: <b> &amp;',
    '<mailto:ada@example.com|ada@example.com>': '[ada@example.com](mailto:ada@example.com)',
  }
  for (const [mrkdwn, markdown] of Object.entries(cases)) t.equal(mrkdwnToMarkdown(mrkdwn), markdown)
  for (const none of [undefined, null, 7, {}]) t.equal(mrkdwnToMarkdown(none), undefined)
})

t.test('no text breaks a conversion, and only mentions and links keep their angle brackets', async t => {
  const KEPT = /<(?:@[UW]\w+|#C\w+|!subteam\^S\w+|!(?:here|channel|everyone)|[^<>|\s]*)(?:\|[^<>]*)?>/g
  fc.assert(
    fc.property(anyText(), text => {
      const mrkdwn = markdownToMrkdwn(text)
      t.notMatch(mrkdwn.replace(/^(?:> )+/gm, '').replace(KEPT, ''), /[<>]/, mrkdwn)
      t.type(mrkdwnToMarkdown(mrkdwn), 'string')
      t.type(mrkdwnToMarkdown(text), 'string')
    }),
  )
})

t.test('words, marks, links and mentions survive both conversions', async t => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/)
  const part = fc.oneof(
    word,
    word.map(word => `**${word}**`),
    word.map(word => `_${word}_`),
    word.map(word => `~~${word}~~`),
    word.map(word => `\`${word} < &\``),
    word.map(word => `[${word}](https://x.test/${word}?a=1&b=2)`),
    fc.constantFrom('<@U0123456789>', '<#C0123456789|general>', '1 < 2 & 3 > 2'),
  )
  const paragraph = fc.array(part, { minLength: 1, maxLength: 6 }).map(parts => parts.join(' '))
  const list = fc
    .array(paragraph, { minLength: 1, maxLength: 4 })
    .map(items => items.map(item => `- ${item}`).join('\n'))
  fc.assert(
    fc.property(fc.array(fc.oneof(paragraph, list), { minLength: 1, maxLength: 4 }), blocks => {
      // Two lists in a row are one.
      const text = blocks.join('\n\nand\n\n')
      t.equal(mrkdwnToMarkdown(markdownToMrkdwn(text)), text)
    }),
  )
})
