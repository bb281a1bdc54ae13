import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { signOauth1 } from '../../../lib/http/oauth1.ts'
import { readXml } from '../../../services/connectors/engine/answer/provider-answer.ts'
import { optional, text } from '../../../services/definitions/arguments.ts'
import type { ConnectorDefinition } from '../../../services/definitions/connector-types.ts'
import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { fileArgument } from '../../../services/definitions/file-argument.ts'
import { tool } from '../../../services/definitions/tool.ts'
import { anyText } from '../../fixtures/any-text.ts'
import fc from '../../fixtures/property.ts'
import { accessTo, engine, failureOf } from './connector-engine-fixture.ts'

const ANSWER = '<?xml version="1.0"?>\n<rsp stat="ok">\n<photoid secret="a&amp;b">12</photoid>\n</rsp>'
const FAILURE = '<rsp stat="fail"><err code="5" msg="Filetype was not recognised" /></rsp>'

t.test('XML is read as the members of its root: attributes, children, lists, and texts as _content', async t => {
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
  t.same(plain(readXml(ANSWER)), { stat: 'ok', photoid: { secret: 'a&b', _content: '12' } })
  t.same(plain(readXml('<r><a>1</a> <a x="2"/> <a/><b><![CDATA[<c>]]></b></r>')), {
    a: [{ _content: '1' }, { x: '2' }, {}],
    b: { _content: '<c>' },
  })
  t.same(Object.keys(readXml('<r><__proto__ a="1"/></r>') ?? {}), ['__proto__'])
  for (const none of ['', 'oauth_problem=x', '{"a":1}', '<!-- -->', '<a/><a/>', '<a>'.repeat(100)])
    t.equal(readXml(none), undefined, none.slice(0, 20))
})

t.test('no text breaks the reader', async () => {
  const piece = fc.constantFrom('<a>', '</a>', '<a b="', '<b/>', '&amp;', '<![CDATA[', ']]>', '<!DOCTYPE x [', '<?')
  fc.assert(fc.property(fc.array(fc.oneof(piece, anyText({ maxLength: 3 }))), pieces => void readXml(pieces.join(''))))
})

/** A provider that takes uploads with OAuth 1.0a, and answers in XML. */
async function uploads(t: Test, signsParts: boolean) {
  const received: { parts: FormData; authorization: string; url: string }[] = []
  const reply = { body: ANSWER }
  const server = createServer(async (request, response) => {
    const { 'content-type': type = '', authorization = '' } = request.headers
    const body = await buffer(request)
    const parts = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
    received.push({ parts, authorization, url: `${origin}${request.url}` })
    response.writeHead(200, { 'content-type': 'text/xml' })
    response.end(reply.body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise(resolve => server.close(resolve).closeAllConnections()))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const connector: ConnectorDefinition = defineConnector({
    id: 'photos',
    name: 'Photos',
    category: 'creative',
    description: 'Photos.',
    icon: { monogram: 'P', color: '#000000' },
    baseUrl: 'https://photos.example',
    hosts: { up: { url: origin, credential: true, answers: 'xml' } },
    auth: {
      type: 'oauth1a',
      requestTokenUrl: 'https://photos.example/request',
      authorizationUrl: 'https://photos.example/authorize',
      accessTokenUrl: 'https://photos.example/access',
      accessSummary: 'All.',
      ...(signsParts && { signsParts }),
    },
    identity: { request: { url: '/me' }, label: '{/id}' },
    errors: {
      failedWhen: { pointer: '/stat', is: { text: 'fail' } },
      message: ['/err/msg'],
      code: ['/err/code'],
      advice: { 5: 'Send a photo.' },
    },
    tools: [
      tool('upload_photo: POST up/upload', {
        title: 'Upload',
        description: 'Upload a photo.',
        multipart: {
          title: optional(text('The title.', 100)),
          photo: { $file: { content: fileArgument({ what: 'The photo' }) } },
        },
        at: '/photoid',
        keep: '_content',
      }),
    ],
  })
  return { connector, received, reply }
}

/** Whether the signature of a request covers these parameters of its body. */
function covers(
  { authorization, url }: { authorization: string; url: string },
  { client, credential }: ReturnType<typeof accessTo>,
  form: Record<string, string>,
): boolean {
  const value = (name: string) => decodeURIComponent(new RegExp(`${name}="([^"]*)"`).exec(authorization)?.[1] ?? '')
  if (client === undefined || credential?.kind !== 'oauth1a') throw new TypeError('Not signed')
  const signed = signOauth1({
    method: 'POST',
    url,
    consumer: { key: client.id, secret: client.secret },
    token: { key: credential.token, secret: credential.tokenSecret },
    extra: { oauth_version: '1.0' },
    form,
    nonce: value('oauth_nonce'),
    timestamp: Number(value('oauth_timestamp')),
  })
  return signed === authorization
}

t.test(
  'the texts of a multipart body are signed as they arrive, if a provider wants that; files never are',
  async t => {
    for (const signsParts of [true, false]) {
      const { connector, received } = await uploads(t, signsParts)
      const { run } = engine(t)
      const access = accessTo(connector)
      const result = await run(connector, { title: 'Sun & sea\nat 5 + 1', content: 'a photo' }, access)
      t.same(result.structuredContent, { _content: '12' })
      const [sent] = received
      if (sent === undefined) throw new Error('Nothing was sent')
      const title = String(sent.parts.get('title'))
      t.equal(title, 'Sun & sea\r\nat 5 + 1')
      t.equal(covers(sent, access, { title }), signsParts)
      t.equal(covers(sent, access, {}), !signsParts)
    }
  },
)

t.test('an error in XML under HTTP 200 is an error with its code and advice', async t => {
  const { connector, reply } = await uploads(t, true)
  const { run } = engine(t)
  reply.body = FAILURE
  const error = await failureOf(run(connector, { content: 'x' }, accessTo(connector)))
  t.match(error, { code: 'upstream_rejected', message: /Filetype was not recognised.*Send a photo/ })
  reply.body = '<html>'
  t.equal((await failureOf(run(connector, { content: 'x' }, accessTo(connector)))).code, 'upstream_rejected')
})
