import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(new URL('../../docs/identity.md', import.meta.url), 'utf8')

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

t.test('the test issuer of docs/identity.md signs tokens of an email, which its keys verify', async t => {
  const [, program = ''] = /^cat > issuer\.mjs <<'END'\n([\s\S]*?)^END$/m.exec(page) ?? []
  const port = await freePort()
  const code = `${program.replaceAll('9200', `${port}`).trimEnd()}.on('listening', () => console.log('ready'))`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { cwd: ROOT })
  t.teardown(() => child.kill())
  let faults = ''
  child.stderr.on('data', text => {
    faults += text
  })
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  t.equal(faults, '')
  const issuer = `http://127.0.0.1:${port}`
  const [keys, token] = await Promise.all([
    fetch(`${issuer}/keys`).then(answer => answer.json() as Promise<JSONWebKeySet>),
    fetch(`${issuer}/token?email=ada@example.test`).then(answer => answer.text()),
  ])
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys), { issuer, audience: 'gateway' })
  t.match(payload, { sub: 'ada@example.test', email: 'ada@example.test', email_verified: true })
})
