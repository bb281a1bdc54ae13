import t from 'tap'
import { convert } from '../../services/web/conversion/convert.ts'
import { cpuMs } from '../fixtures/elapsed.ts'
import { articlePage, sentences } from '../fixtures/web-fixture.ts'
import { hostileHtml } from '../services/web/hostile-pages.ts'

// Not among the tests that run with coverage, which doubles the time.

/** The CPU time of stage 1, in milliseconds per MB. The most expensive hostile page takes 250 on a quiet machine. */
const MAX_MS_PER_MB = { usual: 300, hostile: 600 }
const ATTEMPTS = 5

/** Converts a page up to the answer of stage 1. */
async function firstAnswer(html: string): Promise<void> {
  const page = { contentType: 'text/html; charset=utf-8', url: 'https://a.example/', view: 'article' } as const
  for await (const _ of convert({ kind: 'convert', body: Buffer.from(html), ...page })) return
}

t.test(
  'stage 1 takes less than 300 ms of CPU time for 1 MB of a usual page, and less than 600 ms of a hostile one',
  async t => {
    const row = `<li class="item"><h2><a href="/a?b=1&c=2">A title</a></h2><p>${sentences(3).join(' ')}</p></li>\n`
    const usual = articlePage(sentences(4_000)).replace('</article>', `<ul>${row.repeat(1_800)}</ul></article>`)
    t.ok(usual.length > 900_000)
    for (const [name, html] of [['a usual page', usual], ...Object.entries(hostileHtml())] as const) {
      const megabytes = Math.max(1, html.length / 1_000_000)
      const most = html === usual ? MAX_MS_PER_MB.usual : MAX_MS_PER_MB.hostile
      let least = Number.POSITIVE_INFINITY
      // Other processes take the caches of the CPU, and the first run compiles.
      for (let i = 0; i < ATTEMPTS && least >= most; i++)
        least = Math.min(least, (await cpuMs(() => firstAnswer(html))) / megabytes)
      t.ok(least < most, `${name}: ${Math.round(least)} ms`)
    }
  },
)
