import { registerHooks } from 'node:module'
import t from 'tap'

// Own process: it checks what a process loads.

const loaded: string[] = []
registerHooks({
  resolve(specifier, context, next) {
    loaded.push(specifier)
    return next(specifier, context)
  },
})

const LIBRARIES = [
  '@aws-sdk/client-s3',
  '@aws-sdk/lib-storage',
  '@mdream/js',
  'css-select',
  'defuddle/node',
  'domhandler',
  'file-type',
  'html-encoding-sniffer',
  'htmlparser2',
  'linkedom',
  'robots-parser',
  'saxes',
  'unpdf',
]

t.test('a gateway loads no library of the web, social and media tools and of S3 until a call needs it', async t => {
  const { articlePage, sentences, serveSite, webFixture } = await import('../../fixtures/web-fixture.ts')
  const { build } = await import('../../fixtures/build.ts')
  const { services } = await build(t)
  await services.jobs.runDue()
  const { result } = await webFixture(t)
  const { origin } = await serveSite(t, { '/': articlePage(sentences(9)) })
  t.match(await result('fetch', { url: `${origin}/` }), { extraction: 'article' })
  t.ok(loaded.includes('kysely'))
  t.same(
    LIBRARIES.filter(name => loaded.includes(name)),
    [],
  )
  await import('../../../services/web/conversion/convert.ts')
  await import('../../../services/web/conversion/extract.ts')
  t.ok(loaded.includes('defuddle/node'), 'the names are right')
  t.ok(loaded.includes('css-select'))
})
