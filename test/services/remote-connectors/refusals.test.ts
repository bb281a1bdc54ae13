import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import t, { type Test } from 'tap'
import type { Credential } from '../../../services/credentials/credential.ts'
import { callFailure } from '../../../services/remote-connectors/calls/call-failure.ts'
import { createUpstreams } from '../../../services/remote-connectors/upstream/create-upstreams.ts'
import { withCredentialRedacted } from '../../../services/remote-connectors/upstream/redact.ts'
import { refusalWords, serverSays } from '../../../services/remote-connectors/upstream/refusals.ts'
import { UpstreamError } from '../../../services/remote-connectors/upstream/upstream.ts'
import { silent } from '../../fixtures/database.ts'
import { egressOf, upstream } from '../../fixtures/egress-fixture.ts'
import { cpuMs } from '../../fixtures/elapsed.ts'
import { serverInfo } from '../../fixtures/mcp-fixture.ts'
import { commands } from '../../fixtures/operator-commands.ts'
import { rejectionOf } from '../../fixtures/rejection.ts'
import { remoteWith } from '../../fixtures/remote-tool-fixture.ts'

/** The error of a request for the tools at a URL. */
function failureAt(t: Test, url: string, credential?: Credential): Promise<UpstreamError> {
  const upstreams = createUpstreams({ egress: egressOf(t), clock: { now: Date.now }, serverInfo, log: silent })
  t.teardown(() => upstreams.close())
  const options = { signal: new AbortController().signal, deadlineMs: 20_000 }
  const list = () => upstreams.listTools({ orgId: 'org_1', id: 'rem_1', url }, { headers: {}, key: '' }, options)
  return rejectionOf(credential === undefined ? list() : withCredentialRedacted(credential, list), UpstreamError)
}

t.test('a server that checks its name says which name it accepts', async t => {
  await t.test('one of the official SDK, in JSON-RPC', async t => {
    const server = createMcpExpressApp({ host: '127.0.0.1', allowedHosts: ['wiki.test'] }).listen(0, '127.0.0.1')
    t.teardown(() => server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const error = await failureAt(t, `http://127.0.0.1:${port}/mcp`)
    t.match(error, { kind: 'status', status: 403 })
    t.equal(serverSays(error.words), ' The server says: “Invalid Host: [private address]”.')
  })

  await t.test('one that answers with plain text and no type', async t => {
    // These are the bytes of @playwright/mcp.
    const { origin } = await upstream(t, (_, response) => {
      response.writeHead(403).end('Access is only allowed at localhost:3106')
    })
    const error = await failureAt(t, `${origin}/mcp`)
    t.equal(serverSays(error.words), ' The server says: “Access is only allowed at localhost:3106”.')
    const failure = await callFailure(remoteWith('org_1', []), error, commands)
    t.match(failure.message, '(HTTP 403). The server says: “Access is only allowed at localhost:3106”. Retry later.')
    t.notMatch(JSON.stringify(error), 'localhost:3106', 'a log of the error does not repeat it')
  })
})

t.test('the words of an upstream are those of its error, and no page or stack', async t => {
  const words = (body: string, status = 400) => refusalWords({ status, body })
  const cases = [
    ['No such path.\n', 'No such path.'],
    ['{"error":{"message":"Unknown tenant"}}', 'Unknown tenant'],
    ['{"error":"invalid_request","error_description":"Missing resource"}', 'Missing resource'],
    ['{"message":"Forbidden"}', 'Forbidden'],
    ['{"detail":"Not here"}', 'Not here'],
    ['{"error":"nope"}', 'nope'],
    ['{"code":7}', undefined],
    ['{"error":', undefined],
    ['["a"]', undefined],
    ['', undefined],
    ['<!doctype html><html><head><title>403 Forbidden</title></head><body>nginx</body></html>', '403 Forbidden'],
    ['<html><body><h1 class="x">Blocked</h1><p>By rule 7</p></body></html>', 'Blocked'],
  ] as const
  for (const [body, expected] of cases) t.equal(words(body), expected, body)
  const page = '<html><head><style>p{}</style></head><body><script>steal()</script><p>Go <b>away</b></p></body></html>'
  t.equal(serverSays(words(page)), ' The server says: “Go away”.')
  t.equal(serverSays(words('<script>unclosed')), '')
  for (const status of [200, 307, 500, 502]) t.equal(words('Error at /srv/app.js: password=x', status), undefined)
})

t.test('the words of an upstream are cleaned, bounded and quoted', async t => {
  t.equal(serverSays('a\u202eb\u0007 “c” at 10.0.0.7:80.\nd'), ' The server says: “a b "c" at [private address]. d”.')
  t.equal(serverSays(undefined), '')
  t.ok(serverSays('x'.repeat(100_000)).length < 350)
  const took = await cpuMs(() => {
    for (const part of ['<script', '<title', '<h1 ', '{"a":'])
      serverSays(refusalWords({ status: 400, body: `<${part.repeat(200_000)}` }))
  })
  t.ok(took < 2_000, 'in linear time')
})

t.test('words full of addresses take a few milliseconds, and none stays in part', async t => {
  for (const part of ['::1 ', '10.0.0.1 ', 'fd00::1%eth0, ']) {
    const body = part.repeat(65_536 / part.length)
    const says = () => serverSays(refusalWords({ status: 400, body }))
    says()
    const took = await cpuMs(() => t.notMatch(says(), /10\.|fd00|::/))
    t.ok(took < 25, `${part}: ${took} ms`)
  }
  // The end of what is read is in the middle of the address.
  t.notMatch(serverSays(`${'<p>'.repeat(395)}it is ${'<p>'.repeat(1)} 10.20.30.40 down`), '10.')
})

t.test('the words of an upstream never hold the credential of the organization, not even a part of it', async t => {
  const key = randomBytes(24).toString('hex')
  const credential = { v: 1, kind: 'api_key', key } as const
  for (const before of [0, 280, 290, 480, 490])
    for (const json of [true, false]) {
      const text = `${'x'.repeat(before)} ${key} is not a key`
      const server = await upstream(t, (_, response) => {
        const { body = '' } = server.requests.at(-1) ?? {}
        // A GET asks what the server speaks.
        const { id } = JSON.parse(body || '{}')
        const fault = JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: text } })
        response.writeHead(400).end(json ? fault : text)
      })
      const error = await failureAt(t, `${server.origin}/mcp`, credential)
      for (const shown of [serverSays(error.words), error.message])
        t.notMatch(shown, key.slice(0, 8), `${before} ${json ? 'JSON' : 'text'}`)
    }
})
