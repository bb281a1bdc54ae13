import type { AddressInfo } from 'node:net'
import t from 'tap'
import { endpointNotFound } from '../plugins/error-envelope/plugin.ts'
import { build } from './fixtures/build.ts'
import { rawClient } from './fixtures/raw-client.ts'

const { app, directory } = await build(t)
const [owner] = await directory.members('owner')
const { key } = await owner.key()
const get = (url: string) => app.inject({ url, headers: { 'x-api-key': key } })

const notFound = {
  error: {
    type: 'invalid_request_error',
    message: endpointNotFound({ server: app }).message,
    code: 'endpoint_not_found',
  },
}

// A person who opens the URL of a file learns how to get the file again, whatever is wrong with the URL.
const unsigned = {
  error: { ...notFound.error, message: /^This URL was altered or has expired\. / },
}

t.test('an unknown ID of any length gets the same 404', async t => {
  const ids = ['', 'x', ...[64, 65, 100, 101, 1_000, 10_000].map(length => 'x'.repeat(length)), '%00', '%F0%9F%90%A6']
  for (const path of ['/connectors/', '/connectors/org/', '/artifacts/', '/icons/'])
    for (const id of ids) {
      const { statusCode, body } = await get(`${path}${id}`)
      t.equal(statusCode, 404, `${path} and ${id.length} characters`)
      t.match(JSON.parse(body), path === '/artifacts/' ? unsigned : notFound)
    }
  for (const method of ['DELETE', 'POST'] as const) {
    const url = method === 'POST' ? `/connectors/org/${'x'.repeat(200)}/refresh` : `/connectors/${'x'.repeat(200)}`
    const { statusCode, body } = await app.inject({ method, url, headers: { 'x-api-key': key } })
    t.equal(statusCode, 404, method)
    t.same(JSON.parse(body), notFound)
  }
})

t.test('an ID of the maximum header length still reaches its route', async t => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const head = `host: localhost\r\nx-api-key: ${key}\r\nconnection: close\r\n\r\n`
  const client = await rawClient(t, port, `GET /connectors/${'x'.repeat(15 * 1024)} HTTP/1.1\r\n${head}`)
  t.match(await client.closed(), /^HTTP\/1\.1 404 .*endpoint_not_found/s)
})

t.test('a path with a trailing slash is a different path, except for that of MCP', async t => {
  t.equal((await get('/mcp/')).statusCode, 405)
  for (const url of ['/connectors/github/', '/health/', '/version/', '/connectors/org/none/refresh/']) {
    const { statusCode, body } = await get(url)
    t.equal(statusCode, 404, url)
    t.same(JSON.parse(body), notFound)
  }
})

t.test('bad percent-encoding in a path gets a flat 400, with and without a credential', async t => {
  for (const path of [
    '/connectors/%',
    '/connectors/%zz',
    '/connectors/org/%ED%A0%80',
    '/mcp/%zz',
    '/%zz',
    '/icons/%C0',
  ])
    for (const headers of [{ 'x-api-key': key }, {}]) {
      const { statusCode, body } = await app.inject({ url: path, headers })
      t.equal(statusCode, 400, path)
      t.same(JSON.parse(body), {
        error: 'invalid_request',
        message: 'The path is not valid percent-encoding of UTF-8.',
      })
    }
})
