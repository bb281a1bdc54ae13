import { createServer } from 'node:net'
import pg from 'pg'
import t from 'tap'
import { connectionAdvice } from '../../lib/database/connection-advice.ts'
import { explainFailure } from '../../lib/process/run-process.ts'
import { freePort } from '../free-port.ts'

/** The failure of a connection to a URL, as the operator sees it. */
async function explained(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 200 })
  return client.connect().then(
    () => 'connected',
    error => explainFailure(error),
  )
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
  const silent = createServer(() => {})
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  t.teardown(() => silent.close())
  const address = silent.address()
  const silentPort = typeof address === 'object' ? address?.port : 0
  t.match(await explained(`postgres://127.0.0.1:${silentPort}/x`), /^DATABASE_URL: timeout.*\. Nothing answers there\./)
})

t.test('missing names and rejected certificates have their own advice, and other errors have none', async t => {
  const failed = (code: string, message = 'failed') => Object.assign(new Error(message), { code })
  t.match(explainFailure(failed('ENOTFOUND', 'getaddrinfo ENOTFOUND db')), /ENOTFOUND db\. This name has no address\./)
  t.match(explainFailure(failed('SELF_SIGNED_CERT_IN_CHAIN')), /^DATABASE_URL: failed\. .*NODE_EXTRA_CA_CERTS/)
  t.match(explainFailure(failed('ERR_TLS_CERT_ALTNAME_INVALID')), /a host name that the certificate has/)
  t.equal(connectionAdvice(failed('23505')), undefined)
  t.equal(connectionAdvice(new Error('a timeout of something else')), undefined)
})
