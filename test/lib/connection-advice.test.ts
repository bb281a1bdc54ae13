import { createServer, type Socket } from 'node:net'
import pg from 'pg'
import t, { type Test } from 'tap'
import { connectionAdvice, explainFailure } from '../../lib/process/run-process.ts'
import { freePort } from '../fixtures/free-port.ts'

/** The failure of a connection to a URL, as the operator sees it. */
async function explained(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 200 })
  return client.connect().then(
    () => 'connected',
    error => explainFailure(error),
  )
}

/** The port of a server that does this with its connections. */
async function listening(t: Test, serve: (socket: Socket) => void = () => {}): Promise<number> {
  const sockets: Socket[] = []
  const server = createServer(socket => {
    sockets.push(socket)
    serve(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}

t.test('a start that does not reach PostgreSQL says what it tried and what to check', async t => {
  const port = await freePort()
  for (const host of ['127.0.0.1', 'localhost']) {
    const message = await explained(`postgres://ada:secretive@${host}:${port}/x`)
    t.match(
      message,
      new RegExp(`^DATABASE_URL: connect ECONNREFUSED \\S+${port}\\. Nothing listens there\\. Start PostgreSQL`),
    )
    t.match(message, 'In a container, localhost and 127.0.0.1 are the container itself')
    t.notMatch(message, 'secretive')
  }
  const silentPort = await listening(t)
  t.match(await explained(`postgres://127.0.0.1:${silentPort}/x`), /^DATABASE_URL: timeout.*\. Nothing answers there\./)
})

t.test('missing names and rejected certificates have their own advice, and other errors have none', async t => {
  const failed = (code: string, message = 'failed') => Object.assign(new Error(message), { code })
  t.match(explainFailure(failed('ENOTFOUND', 'getaddrinfo ENOTFOUND db')), /ENOTFOUND db\. This name has no address\./)
  t.match(explainFailure(failed('SELF_SIGNED_CERT_IN_CHAIN')), /^DATABASE_URL: failed\. .*NODE_EXTRA_CA_CERTS/)
  t.match(explainFailure(failed('ERR_TLS_CERT_ALTNAME_INVALID')), /a host name that the certificate has/)
  const missing = failed('3D000', 'database "x" does not exist')
  t.match(explainFailure(missing), 'DATABASE_URL: database "x" does not exist. Create it (docs/deployment.md, ')
  t.match(explainFailure(failed('28P01')), 'DATABASE_URL: failed. Correct the user or the password.')
  t.equal(connectionAdvice(failed('23505')), undefined)
  t.equal(connectionAdvice(new Error('a timeout of something else')), undefined)
})

t.test('a server that is not PostgreSQL is named as such, without the user and the password', async t => {
  // The greeting of MariaDB, whose first byte PostgreSQL uses for data of COPY.
  const greeting = Buffer.from('640000000a352e352e352d31302e31312e3134', 'hex')
  const url = `postgres://ada:secretive@127.0.0.1:${await listening(t, socket => socket.write(greeting))}/x`
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  const error = await client.connect().catch((reason: unknown) => reason)
  const failure = (directUrl: string) => explainFailure(error, { database: { url, directUrl } })
  const { host } = new URL(url)
  t.equal(failure(url), `DATABASE_URL: ${host} is not a PostgreSQL server. Correct the host and port.`)
  t.equal(failure('postgres://db/x'), 'DATABASE_URL: the server is not a PostgreSQL server. Correct the host and port.')
})

t.test('a port in use is named', async t => {
  const port = await listening(t)
  const error = await new Promise(resolve => createServer().once('error', resolve).listen(port, '127.0.0.1'))
  t.match(explainFailure(error), `Port ${port} of 127.0.0.1 is in use. Stop the process that listens on it`)
})
