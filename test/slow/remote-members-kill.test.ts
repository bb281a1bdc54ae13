import { randomBytes } from 'node:crypto'
import t from 'tap'
import { parsePeppers, parseVaultKeys } from '../../lib/configuration/key-ring.ts'
import { openDatabase } from '../../lib/database/open-database.ts'
import { silent, testDatabaseUrl, testPostgres } from '../fixtures/database.ts'
import { remoteJourney } from '../fixtures/remote-journey.ts'
import { until } from '../fixtures/until.ts'
import { identityTools } from '../upstreams/identity-tools.ts'
import { oauthUpstream } from '../upstreams/oauth-upstream.ts'
import { startGateway } from './gateway-process.ts'

const CALLS = 1_000
const AT_A_TIME = 8
/** After this many calls, one of the two processes is killed and another takes its place. */
const KILL_EACH = 200
/** Short enough to be refreshed many times during the calls. */
const TOKEN_SECONDS = 1
/** How often a call is made again whose process was killed. */
const ATTEMPTS = 4
/** A third member leaves after this many calls. */
const LEAVES_AT = 500

const skip = testDatabaseUrl === undefined && 'TEST_DATABASE_URL is not set'

t.test('each of two members acts as themselves in 1,000 calls, although processes are killed', { skip }, async t => {
  const url = await testPostgres(t, testDatabaseUrl ?? '')
  const ring = () => `test:${randomBytes(32).toString('base64')}`
  const [API_KEY_PEPPERS, VAULT_KEYS] = [ring(), ring()]
  const journey = await remoteJourney(t, {
    database: await openDatabase({ postgres: { url, maxConnections: 5 }, dataDir: '', log: silent }),
    settings: { peppers: parsePeppers(API_KEY_PEPPERS), vaultKeys: parseVaultKeys(VAULT_KEYS) },
  })
  const { directory, services, as } = journey
  const org = await directory.org()
  const members = { ada: await org.member('owner'), bob: await org.member(), carl: await org.member() }
  const upstream = await oauthUpstream(t, { tools: identityTools() })
  upstream.authorization.accessTokenSeconds = TOKEN_SECONDS
  await as(members.ada).register('own', upstream.url, { mode: 'oauth', per: 'member' })
  const keys: Record<string, string> = {}
  for (const [name, member] of Object.entries(members)) {
    await as(member).authorize('own', name)
    keys[name] = (await member.key()).key
  }

  const environment = {
    DATABASE_URL: url,
    DATA_DIR: t.testdir(),
    API_KEY_PEPPERS,
    VAULT_KEYS,
    EGRESS_ALLOW_LOOPBACK: 'true',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_MAX: '100000',
  }
  const processes = await Promise.all([startGateway(t, environment), startGateway(t, environment)])

  /** Calls as a member, at the other process if the first was killed. Undefined if the tool did not answer. */
  async function whoAmI(name: string, n: number): Promise<{ name: string; n: number } | undefined> {
    for (let at = n; at < n + ATTEMPTS; at++) {
      const answer = await processes[at % 2]?.call(keys[name] ?? '', 'org__own__headers', { n }).catch(() => undefined)
      if (answer !== undefined) return JSON.parse(answer).result?.structuredContent
    }
    return undefined
  }

  /** Whether a process that runs answers the third member. */
  async function answersCarl(at: number): Promise<boolean> {
    const answer = await processes[at]?.call(keys.carl ?? '', 'org__own__headers', { n: -1 }).catch(() => undefined)
    return answer !== undefined && JSON.parse(answer).result?.structuredContent !== undefined
  }

  let replaced = Promise.resolve()
  /** Kills a process and starts another in its place. Meanwhile, the other process gets all calls. */
  function replace(at: number): Promise<void> {
    replaced = replaced.then(async () => {
      await processes[at]?.kill()
      processes[at] = await startGateway(t, environment)
    })
    return replaced
  }

  const right = { ada: 0, bob: 0, carl: 0 }
  const unanswered = { ada: 0, bob: 0, carl: 0 }
  const wrong: unknown[] = []
  let [next, leaves, left] = [0, false, false]
  /** Signs a member in again. The third one may leave while they sign in, which then fails. */
  async function signInAgain(name: keyof typeof members): Promise<void> {
    await as(members[name])
      .authorize('own', name)
      .catch(error => {
        if (!leaves || name !== 'carl') throw error
      })
  }
  async function work(): Promise<void> {
    for (let n = next++; n < CALLS; n = next++) {
      if (n % KILL_EACH === KILL_EACH - 1) await replace(Math.floor(n / KILL_EACH) % 2)
      if (n === LEAVES_AT) {
        leaves = true
        await services.members.remove({ orgId: org.id, userId: members.carl.userId, by: 'operator' })
        // Each process hears of it on its own. A call that is made before may still be answered.
        await until(async () => (await Promise.all([0, 1].map(answersCarl))).every(answered => !answered))
        left = true
      }
      const name = n % 5 === 0 ? 'carl' : n % 2 === 0 ? 'ada' : 'bob'
      const isGone = left && name === 'carl'
      const answer = await whoAmI(name, n)
      if (answer === undefined) {
        // A process that dies between a refresh and its storing loses the grant. Its member signs in again.
        if (!isGone && ++unanswered[name] % 10 === 0) await signInAgain(name)
        continue
      }
      if (answer.name !== name || answer.n !== n || isGone) wrong.push({ name, n, answer, isGone })
      else right[name]++
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work))
  t.same(wrong, [])
  const tokens = new Set(upstream.state.tokens).size
  t.comment(right, `${tokens} tokens`)
  for (const name of ['ada', 'bob'] as const) t.ok(right[name] > 100, `${name} was answered ${right[name]} times`)
  t.ok(right.carl > 50, `the third member was answered ${right.carl} times until they left`)
  t.ok(tokens >= 9, `the tokens were refreshed: ${tokens}`)
})
