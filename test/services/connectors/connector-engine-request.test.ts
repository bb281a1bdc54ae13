import assert from 'node:assert/strict'
import { Type } from '@sinclair/typebox'
import { parse } from 'qs'
import t from 'tap'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { compileRequest } from '../../../services/connectors/engine/request/build-request.ts'
import { compileBaseUrl } from '../../../services/connectors/engine/request/fill-url.ts'
import { compileTemplate } from '../../../services/connectors/engine/request/template.ts'
import type { RequestTemplate } from '../../../services/definitions/http-tool-types.ts'
import { joined, type Template } from '../../../services/definitions/template.ts'
import { anyText } from '../../fixtures/any-text.ts'
import fc from '../../fixtures/property.ts'
import { connectorOf, engine, recordingUpstream, tool } from './connector-engine-fixture.ts'

const text = anyText()

function filled(template: Template, args: Record<string, unknown>, settings: Record<string, string> = {}): unknown {
  return compileTemplate(template)({ args, settings })
}

function built(request: RequestTemplate, args: Record<string, unknown>, settings: Record<string, string> = {}) {
  const connector = { baseUrl: 'https://api.sample.example/v1' }
  return compileRequest(connector, { input: Type.Object({}), request, result: { kind: 'text' } })({ args, settings })
}

function codeOf(build: () => unknown): string {
  try {
    build()
  } catch (error) {
    if (error instanceof GatewayError) return error.code
    throw error
  }
  return 'ok'
}

t.test('a bare placeholder keeps the argument’s type, and within text it becomes text', async t => {
  t.same(filled({ n: '{n}', t: 'no. {n}', c: 7, l: ['{b}'] }, { n: 5, b: false }), {
    n: 5,
    t: 'no. 5',
    c: 7,
    l: [false],
  })
  t.same(filled({ a: '{o}' }, { o: { deep: [1, null] } }), { a: { deep: [1, null] } })
  t.equal(filled('{settings.site}/x', {}, { site: 'acme' }), 'acme/x')
  t.same(filled({ l: joined('l'), none: joined('none') }, { l: ['a', 1] }), { l: 'a,1' })
})

t.test('absent arguments are left out with the objects around them; null and empty values are not absent', async t => {
  const document = { type: 'doc', content: [{ type: 'text', text: '{body}' }] }
  t.equal(filled(document, {}), undefined)
  t.same(filled({ document, kept: { constant: true } }, {}), undefined, 'no placeholder was filled')
  t.same(filled({ a: '{a}', b: { c: '{c}', d: 'x' } }, { a: null }), { a: null })
  t.same(filled(['a', '{b}'], {}), ['a'])
  t.equal(filled('{a}/{b}', { a: 1 }), undefined)
  t.same(filled({ a: '{a}', l: joined('l') }, { a: '', l: [] }), { a: '', l: '' })
})

t.test('arguments and settings never come from a prototype', async t => {
  t.equal(filled('{constructor}', {}), undefined)
  t.equal(filled('{settings.toString}', {}), undefined)
  const hostile = JSON.parse('{"__proto__": {"admin": true}, "x": 1}')
  t.equal(filled('{admin}', hostile), undefined)
})

t.test('any text stays in its path segment, or is rejected', async () => {
  const request: RequestTemplate = { method: 'GET', path: '/repos/{owner}/items/{id}.json' }
  fc.assert(
    fc.property(text, text, (owner, id) => {
      let url: URL
      try {
        url = built(request, { owner, id }).url
      } catch (error) {
        assert.ok(error instanceof GatewayError && error.code === 'invalid_request')
        assert.ok(['', '.', '../..'].includes(owner) || ['', '.', '../..'].includes(id))
        return
      }
      assert.equal(url.origin, 'https://api.sample.example')
      assert.equal(url.search + url.hash, '')
      const segments = url.pathname.split('/')
      assert.deepEqual([segments.length, segments[2], segments[4]], [6, 'repos', 'items'])
      assert.equal(decodeURIComponent(segments[3] ?? ''), owner.toWellFormed())
      assert.equal(decodeURIComponent(segments[5] ?? ''), `${id.toWellFormed()}.json`)
    }),
    {
      numRuns: 500,
      examples: [
        ['../..', 'x'],
        ['%2e%2e', 'x'],
        ['a/../..', '\\'],
        ['@evil.example', '?a#b'],
      ],
    },
  )
})

t.test('the rest of a path keeps its slashes, never leaves its base, and may be absent', async t => {
  const request: RequestTemplate = { method: 'GET', path: '/contents/{+path}' }
  t.equal(built(request, { path: 'src/a b/ü.ts' }).url.pathname, '/v1/contents/src/a%20b/%C3%BC.ts')
  t.equal(built(request, {}).url.pathname, '/v1/contents/')
  for (const path of ['', '/', '/etc', 'a/', 'a//b', 'a/../b', '../..', './a'])
    t.equal(
      codeOf(() => built(request, { path })),
      'invalid_request',
      path,
    )
  fc.assert(
    fc.property(fc.array(text), parts => {
      let url: URL
      try {
        url = built(request, { path: parts.join('/') }).url
      } catch (error) {
        assert.ok(error instanceof GatewayError && error.code === 'invalid_request')
        return
      }
      assert.ok(url.href.startsWith('https://api.sample.example/v1/contents/'))
    }),
  )
})

t.test('a setting becomes host labels or one path segment, and cannot change the origin', async t => {
  const host = compileBaseUrl('https://{settings.site}.sample.example/x/{settings.cloud}/')
  t.same(host({ site: 'acme', cloud: 'a/b' }), {
    text: 'https://acme.sample.example/x/a%2Fb',
    origin: 'https://acme.sample.example',
    path: '/x/a%2Fb',
  })
  for (const site of ['https://acme', 'https://acme/'])
    t.equal(host({ site, cloud: 'c' }).origin, 'https://acme.sample.example')
  for (const site of [
    'http://acme',
    'https://acme/x',
    'https://a@acme',
    'https://acme:80',
    'https://',
    'https://https://acme',
  ])
    t.equal(
      codeOf(() => host({ site, cloud: 'c' })),
      'invalid_request',
      site,
    )
  for (const site of ['evil.example/', 'a@b', 'a:80', 'a?b', 'a#b', 'a\\b', '', 'a_b', '-a', 'ä', 'a\n'])
    t.equal(
      codeOf(() => host({ site, cloud: 'c' })),
      'invalid_request',
      JSON.stringify(site),
    )
  t.equal(
    codeOf(() => host({ site: 'acme' })),
    'invalid_request',
    'a missing setting',
  )
  fc.assert(
    fc.property(text, text, (site, cloud) => {
      let base: { origin: string; text: string }
      try {
        base = host({ site, cloud })
      } catch (error) {
        assert.ok(error instanceof GatewayError)
        return
      }
      assert.ok(base.origin.endsWith('.sample.example'))
      assert.ok(base.text.startsWith(`${base.origin}/x/`))
    }),
  )
})

t.test('a query repeats arrays, brackets objects and omits null; it decodes to the same texts', async t => {
  const request: RequestTemplate = {
    method: 'GET',
    path: '/search',
    query: { q: '{q}', label: '{labels}', created: { gte: '{since}' }, fields: joined('fields'), none: '{none}' },
  }
  const { url } = built(request, { q: 'a&b=c', labels: ['x', 'y'], since: 5, fields: ['a', 'b'], none: null })
  t.equal(url.search, '?q=a%26b%3Dc&label=x&label=y&created%5Bgte%5D=5&fields=a%2Cb')
  t.equal(built(request, {}).url.search, '')
  fc.assert(
    fc.property(text, fc.array(text), (q, labels) => {
      const { searchParams } = built(request, { q, labels }).url
      assert.equal(searchParams.get('q'), q.toWellFormed())
      assert.deepEqual(
        searchParams.getAll('label'),
        labels.map(label => label.toWellFormed()),
      )
    }),
  )
})

t.test('qs.parse decodes a form to its values', async t => {
  const request: RequestTemplate = {
    method: 'POST',
    path: '/x',
    body: { form: { a: '{a}', metadata: '{metadata}', items: '{items}', fixed: { deep: true } } },
  }
  const name = fc.stringMatching(/^[a-z_]{1,8}$/)
  const items = fc.array(fc.record({ price: fc.string(), quantity: fc.string() }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(fc.string(), fc.dictionary(name, fc.string(), { minKeys: 1 }), items, (a, metadata, items) => {
      const { body, headers, form } = built(request, { a, metadata, items })
      assert.equal(headers['content-type'], 'application/x-www-form-urlencoded')
      assert.equal(form, body)
      const read: unknown = JSON.parse(JSON.stringify(parse(String(body), { arrayLimit: 100, parameterLimit: 10_000 })))
      assert.deepEqual(read, JSON.parse(JSON.stringify({ a, metadata, items, fixed: { deep: 'true' } })))
    }),
  )
  t.equal(built(request, { items: [{ price: 'p' }] }).body, 'items%5B0%5D%5Bprice%5D=p&fixed%5Bdeep%5D=true')
  t.equal(built(request, { a: null }).body, 'a=&fixed%5Bdeep%5D=true', 'null becomes empty')
})

t.test('JSON and GraphQL bodies are JSON; a body without any argument is an empty object', async t => {
  const json: RequestTemplate = { method: 'PATCH', path: '/x', body: { json: { a: '{a}', n: { m: '{m}' } } } }
  t.equal(built(json, { a: 'ü"' }).body, '{"a":"ü\\""}')
  t.equal(built(json, {}).body, '{}')
  t.equal(built({ method: 'POST', path: '/x', body: { json: null } }, {}).body, 'null', 'unless it is null')
  const graphql: RequestTemplate = {
    method: 'POST',
    path: '/graphql',
    body: { graphql: 'query($id: ID!) { issue(id: $id) { id } }', variables: { id: '{id}', after: '{cursor}' } },
  }
  t.same(JSON.parse(String(built(graphql, { id: 'a' }).body)), {
    query: 'query($id: ID!) { issue(id: $id) { id } }',
    variables: { id: 'a' },
  })
})

t.test('a header from an argument has no line breaks, and is left out with the argument', async t => {
  const request: RequestTemplate = { method: 'GET', path: '/x', headers: { 'If-Match': '{etag}' } }
  t.equal(built(request, { etag: '"1"' }).headers['if-match'], '"1"')
  t.notOk('if-match' in built(request, {}).headers)
  t.equal(
    codeOf(() => built(request, { etag: 'a\r\nx-admin: 1' })),
    'invalid_request',
  )
})

t.test('an absent argument has the default of its schema', async t => {
  const upstream = await recordingUpstream(t)
  const { run } = engine(t)
  const connector = connectorOf(
    upstream.origin,
    tool(
      { state: Type.Optional(Type.String({ default: 'open' })), id: Type.Optional(Type.String({ default: 'me' })) },
      { request: { method: 'GET', path: '/users/{id}', query: { state: '{state}' } } },
    ),
  )
  await run(connector)
  await run(connector, { state: 'all', id: '7' })
  t.same(
    upstream.received.map(({ url }) => url),
    ['/users/me?state=open', '/users/7?state=all'],
  )
})
