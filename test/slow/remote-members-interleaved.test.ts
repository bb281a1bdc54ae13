import t from 'tap'
import { remoteJourney } from '../fixtures/remote-journey.ts'
import { identityTools } from '../upstreams/identity-tools.ts'
import { oauthUpstream } from '../upstreams/oauth-upstream.ts'

const CALLS = 1_000
const AT_A_TIME = 16
/** After this many calls, the tokens of all members expire. */
const EXPIRE_EACH = 100
/** After this many calls, a third member leaves the organization. */
const LEAVES_AT = 500

t.test(
  '1,000 calls of two members to one registration each act as their member, while tokens refresh and a third leaves',
  async t => {
    const { services, directory, clock, as } = await remoteJourney(t)
    const org = await directory.org()
    const ada = as(await org.member('owner'))
    const [bob, carl] = [as(await org.member('member')), as(await org.member('member'))]
    const upstream = await oauthUpstream(t, { tools: identityTools() })
    await ada.register('own', upstream.url, { mode: 'oauth', per: 'member' })
    const members = { ada, bob, carl }
    for (const [name, member] of Object.entries(members)) await member.authorize('own', name)

    const wrong: string[] = []
    let [next, left] = [0, false]
    async function work(): Promise<void> {
      for (let n = next++; n < CALLS; n = next++) {
        if (n > 0 && n % EXPIRE_EACH === 0) clock.advance(upstream.authorization.accessTokenSeconds * 1_000 + 1)
        if (n === LEAVES_AT) {
          await services.members.remove({ orgId: org.id, userId: carl.who.userId, by: 'operator' })
          left = true
        }
        const name = n % 2 === 0 ? 'ada' : 'bob'
        const answer = await members[name].call('org__own__headers', { n })
        if (JSON.stringify(answer.structuredContent) !== JSON.stringify({ name, n })) wrong.push(JSON.stringify(answer))
        if (n % 10 !== 0) continue
        const gone = left
        const third = await carl.call('org__own__headers', { n }).then(JSON.stringify, String)
        const isCarl = third.includes(JSON.stringify({ name: 'carl', n }))
        if (gone ? isCarl : !isCarl && !left) wrong.push(`carl: ${third}`)
      }
    }
    await Promise.all(Array.from({ length: AT_A_TIME }, work))
    t.same(wrong, [])
    const tokens = new Set(upstream.state.tokens)
    t.ok(tokens.size >= 2 * (CALLS / EXPIRE_EACH), `the tokens were refreshed: ${tokens.size}`)
  },
)
