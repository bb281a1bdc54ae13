import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openDatabase } from '../../plugins/database/dialect.ts'
import { type Built, build } from '../build.ts'
import { silent, testDatabaseUrl, testPostgres } from '../database.ts'
import { directory } from '../directory.ts'
import { faultProxy } from '../fault-proxy.ts'
import { testSettings } from '../settings.ts'
import { session } from '../stage.ts'

const EVENT_MS = 1_000
const RECHECK_MS = 10_000

const withoutServer =
  testDatabaseUrl === undefined ? 'TEST_DATABASE_URL is not set: the embedded database is for one process' : false

/** Two processes on one database. What the second hears of changes comes through a proxy. */
async function two(t: Test) {
  const url = await testPostgres(t, testDatabaseUrl ?? '')
  const events = await faultProxy(t, url)
  const { peppers } = testSettings()
  const process = async (directUrl: string) =>
    build(t, {
      settings: { peppers },
      database: await openDatabase({ postgres: { url, directUrl, maxConnections: 3 }, dataDir: '', log: silent }),
      verifyJwt: async token => session({ userId: token.split('.')[1] ?? '' }),
    })
  const [first, second] = [await process(url), await process(events.url)]
  return { first, second, events }
}

/** What the gateway says to a caller: `done`, or the code of its refusal. */
async function ask({ app }: Built, headers: Record<string, string>): Promise<string> {
  const answer = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory__list_memories","arguments":{}}}',
  })
  const { error, result } = answer.json()
  if (error !== undefined) return error.code
  return result.isError === true ? JSON.parse(result.content[0].text).error.code : 'done'
}

/** A caller of each kind, how the first process puts him out, and what he is told from then on. */
async function callers({ services }: Built, other: Built) {
  const heard = new Set<string | null>()
  other.services.database.events.on('api_key', ({ id }) => heard.add(id))
  const org = await directory(services).org()
  await org.member('owner')
  const holder = await org.member()
  const key = await holder.key()
  const agent = await holder.agent()
  const agentKey = await holder.key({ agentId: agent.id })
  const [leaver, guest] = [await org.member(), await org.member()]
  const leaverKey = await leaver.key()
  // What is made is an event too, and events empty caches: the last of them has to be heard.
  while (!heard.has(leaverKey.id)) await delay(5)
  const { keys, agents, members } = services
  const remove = ({ userId }: { userId: string }) => members.remove({ orgId: org.id, userId, by: 'operator' })
  return [
    {
      name: 'a revoked key',
      headers: { 'x-api-key': key.key },
      putOut: () => keys.revoke(key.id, { by: 'operator' }),
      refusal: 'invalid_api_key',
    },
    {
      name: 'a suspended agent',
      headers: { 'x-api-key': agentKey.key },
      putOut: () => agents.setStatus(agent.id, 'suspended', { by: 'operator' }),
      refusal: 'agent_suspended',
    },
    {
      name: 'the key of a removed member',
      headers: { 'x-api-key': leaverKey.key },
      putOut: () => remove(leaver),
      refusal: 'invalid_api_key',
    },
    {
      name: 'the session of a removed member',
      headers: { authorization: `Bearer e30.${guest.userId}.x` },
      putOut: () => remove(guest),
      refusal: 'no_active_org',
    },
  ]
}

t.test('who is put out through one process is refused by the other within 1 s', { skip: withoutServer }, async t => {
  const { first, second } = await two(t)
  for (const { name, headers, putOut, refusal } of await callers(first, second)) {
    t.equal(await ask(second, headers), 'done', name)
    await putOut()
    const done = performance.now()
    let answer = await ask(second, headers)
    for (; answer === 'done' && performance.now() - done < 5 * EVENT_MS; answer = await ask(second, headers))
      await delay(1)
    const ms = performance.now() - done
    t.equal(answer, refusal, name)
    t.ok(ms < EVENT_MS, `${name}: ${ms.toFixed(1)} ms`)
  }
})

t.test('when the event is lost, he is refused after 10 s', { skip: withoutServer }, async t => {
  const { first, second, events } = await two(t)
  const all = await callers(first, second)
  for (const { name, headers } of all) t.equal(await ask(second, headers), 'done', name)
  events.blackhole()
  for (const { putOut } of all) await putOut()
  for (const { name, headers, refusal } of all) {
    t.equal(await ask(first, headers), refusal, `${name}, by the process it went through`)
    t.equal(await ask(second, headers), 'done', `${name}: the other has not heard`)
  }
  second.clock.advance(RECHECK_MS)
  for (const { name, headers, refusal } of all) t.equal(await ask(second, headers), refusal, name)
})
