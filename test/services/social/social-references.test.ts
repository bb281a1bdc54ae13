import t from 'tap'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { plainText } from '../../../services/social/answer-fields.ts'
import { postReference, profileReference } from '../../../services/social/references.ts'
import { cpuMs } from '../../fixtures/elapsed.ts'
import fc from '../../fixtures/property.ts'

t.test('posts are found by the URL forms of each network, and by ID', async t => {
  const forms: Record<string, [network: string, reference: string]> = {
    'https://news.ycombinator.com/item?id=8863': ['hackernews', '8863'],
    'https://bsky.app/profile/ada.example/post/3kabc': ['bluesky', 'at://ada.example/app.bsky.feed.post/3kabc'],
    'https://bsky.app/profile/did%3Aplc%3Aada/post/3kabc': ['bluesky', 'at://did:plc:ada/app.bsky.feed.post/3kabc'],
    'https://mastodon.social/@Gargron/1': ['mastodon', 'mastodon.social/1'],
    'https://mastodon.social/@ada@remote.example/12?x#y': ['mastodon', 'mastodon.social/12'],
    'https://fosstodon.org/users/ada/statuses/12': ['mastodon', 'fosstodon.org/12'],
    'https://fosstodon.org/web/statuses/12': ['mastodon', 'fosstodon.org/12'],
    'https://fosstodon.org/deck/@ada/12': ['mastodon', 'fosstodon.org/12'],
    'https://www.reddit.com/r/rust/comments/1abc/a_story/': ['reddit', 't3_1abc'],
    'https://old.reddit.com/r/rust/comments/1abc/a_story/k9z/?context=3': ['reddit', 't1_k9z'],
    'https://redd.it/1abc': ['reddit', 't3_1abc'],
    'https://x.com/ada/status/20?s=20': ['x', '20'],
    'https://twitter.com/i/web/status/20': ['x', '20'],
    'https://mobile.twitter.com/ada/status/20/photo/1': ['x', '20'],
  }
  for (const [url, [network, reference]] of Object.entries(forms))
    t.same(postReference({ url }), { network, reference }, url)
  const ids = ['hackernews:8863', 'mastodon:mastodon.social/1', 'reddit:t1_k9z', 'x:20']
  for (const id of ids) {
    const { network, reference } = postReference({ id })
    t.equal(`${network}:${reference}`, id)
  }
  const uri = 'at://did:plc:ada/app.bsky.feed.post/3kabc'
  for (const id of [uri, `bluesky:${uri}`]) t.same(postReference({ id }), { network: 'bluesky', reference: uri })
})

t.test('profiles are found by URL, and by network and handle', async t => {
  const forms: Record<string, [network: string, reference: string]> = {
    'https://news.ycombinator.com/user?id=pg': ['hackernews', 'pg'],
    'https://bsky.app/profile/ada.example': ['bluesky', 'ada.example'],
    'https://mastodon.social/@Gargron': ['mastodon', 'Gargron@mastodon.social'],
    'https://mastodon.social/@ada@remote.example': ['mastodon', 'ada@remote.example'],
    'https://fosstodon.org/users/ada': ['mastodon', 'ada@fosstodon.org'],
    'https://www.reddit.com/user/ada/': ['reddit', 'ada'],
    'https://reddit.com/u/ada': ['reddit', 'ada'],
    'https://x.com/ada': ['x', 'ada'],
  }
  for (const [url, [network, reference]] of Object.entries(forms))
    t.same(profileReference({ url }), { network, reference }, url)
  t.same(profileReference({ network: 'x', handle: '@ada' }), { network: 'x', reference: 'ada' })
  t.same(profileReference({ network: 'reddit', handle: 'u/ada' }), { network: 'reddit', reference: 'ada' })
  t.same(profileReference({ handle: '@ada@mastodon.social' }), {
    network: 'mastodon',
    reference: 'ada@mastodon.social',
  })
})

t.test('what is not a post or a profile is refused, and never becomes part of a request', async t => {
  const refused = (read: () => unknown, what: string) => t.throws(read, { code: 'invalid_request' }, what)
  const urls = [
    'https://example.com/',
    'ftp://mastodon.social/@ada/1',
    'https://mastodon.social/@ada/1e9',
    'https://mastodon.social/@ada/..%2F..%2Fadmin',
    'https://bsky.app/profile/ada.example/post/a%2Fb',
    'https://x.com/ada/status/1%3Fx',
    'https://news.ycombinator.com/item?id=1/../../2',
    'https://www.reddit.com/r/rust',
    'not a URL',
  ]
  for (const url of urls) refused(() => postReference({ url }), url)
  const ids = [
    '',
    ':',
    'x:',
    'x:0',
    'x:1/2',
    'constructor:1',
    'mastodon:1',
    'mastodon:a/b',
    'mastodon:http://a/1',
    'reddit:t5_a',
  ]
  for (const id of [...ids, 'bluesky:at://a/app.bsky.feed.like/1', 'hackernews:1.json?x'])
    refused(() => postReference({ id }), id)
  for (const handle of ['', '../x', 'a b', 'a@b@c', 'a?x'])
    for (const network of ['hackernews', 'bluesky', 'mastodon', 'reddit', 'x'] as const)
      refused(() => profileReference({ network, handle }), `${network} ${handle}`)
  for (const url of ['https://example.com/about', 'https://x.com/i', 'https://x.com/ada/likes'])
    refused(() => profileReference({ url }), url)
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), url => {
      try {
        const { network, reference } = postReference({ url })
        t.equal(network, 'mastodon')
        t.match(reference, /^[0-9a-z.:-]+\/\d{1,32}$/)
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error
      }
    }),
  )
})

t.test('HTML becomes text without tags, scripts and hidden characters', async t => {
  const cases: [html: unknown, text: string][] = [
    [null, ''],
    ['a<p>b<p>c', 'a\n\nb\n\nc'],
    ['<ul><li>one</li><li>two</li></ul>', '- one\n- two'],
    ['1 &lt; 2 &amp;&amp; &#x27;x&#39; &nbsp;', "1 < 2 && 'x'"],
    ['<style>a{}</style>x<script>alert(1)</script><noscript>y</noscript>', 'x'],
    ['<a href="https://example.com/other">https://example.com/pa...</a>', 'https://example.com/pa...'],
    ['a\u202eb\u200b<b onclick="x">c</b><!-- d -->', 'abc'],
    ['<pre><code>  x\n    y</code></pre>', 'x\n    y'],
    ['unclosed <b', 'unclosed'],
  ]
  for (const [html, text] of cases) t.equal(plainText(html), text)
})

t.test('hostile HTML takes a time in proportion to its size, and its text is bounded', async t => {
  const pages = [
    '<div>'.repeat(2e5),
    '<'.repeat(1e6),
    '<a href="x">'.repeat(1e5),
    '&amp;'.repeat(2e5),
    `<p ${'a '.repeat(5e5)}>`,
  ]
  for (const page of pages) {
    let text = ''
    const ms = cpuMs(() => {
      text = plainText(page)
    })
    t.ok((await ms) < 1_000 && text.length <= 10_000, `${page.slice(0, 8)} in ${await ms} ms`)
  }
})
