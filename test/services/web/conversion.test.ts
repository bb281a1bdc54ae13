import t from 'tap'
import { convert } from '../../../services/web/conversion/convert.ts'
import type { Conversion } from '../../../services/web/conversion/tasks.ts'
import { articlePage, sentences } from '../../fixtures/web-fixture.ts'

const task = (html: string) =>
  ({
    kind: 'convert',
    body: Buffer.from(html),
    contentType: 'text/html; charset=utf-8',
    url: 'https://a.example/',
    view: 'article',
  }) as const

/** The answer of stage 1, which is the whole page, or the last one. */
async function answerTo(html: string, stage: 'first' | 'last'): Promise<Conversion> {
  let answer: Conversion | undefined
  for await (const next of convert(task(html))) {
    answer = next as Conversion
    if (stage === 'first') break
  }
  return answer as Conversion
}

t.test('a form that surrounds the page is part of the page, a form within the page is not', async t => {
  const page = articlePage(sentences(12))
  const surrounded = page
    .replace('<body>', '<body><form method="post" action="/">')
    .replace('</body>', '</form></body>')
  for (const stage of ['first', 'last'] as const) {
    const { markdown } = await answerTo(surrounded, stage)
    for (const sentence of sentences(12)) t.ok(markdown.includes(sentence), `${stage}: ${sentence}`)
  }
  const form = '<form><p>Leave a comment</p><label>Your name</label><input name="n"></form></article>'
  t.notMatch((await answerTo(page.replace('</article>', form), 'last')).markdown, /Leave a comment|Your name/)
})

t.test('a CDATA section in HTML is a comment that ends at the next >, as in browsers', async t => {
  const page = articlePage(sentences(12)).replace('<body>', '<body><![CDATA[ <b>')
  for (const stage of ['first', 'last'] as const)
    t.match((await answerTo(page, stage)).markdown, /Sentence 0[\s\S]+Sentence 11/, stage)
})
