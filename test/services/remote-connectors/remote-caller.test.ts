import t from 'tap'
import type { Account } from '../../../services/accounts/account.ts'
import type { Credential } from '../../../services/credentials/credential.ts'
import type { Grants } from '../../../services/credentials/grants.ts'
import type { ToolResult } from '../../../services/mcp/mcp-types.ts'
import type { Registration } from '../../../services/remote-connectors/registration.ts'
import { createRemoteCaller, type RemoteCaller } from '../../../services/remote-connectors/upstream/remote-caller.ts'
import {
  type UpstreamCredential,
  UpstreamError,
  type Upstreams,
} from '../../../services/remote-connectors/upstream/upstream.ts'
import { madeAccount, madeOauth, madeRemote } from '../../fixtures/made-remote.ts'
import { commands } from '../../fixtures/operator-commands.ts'

const SECRET = 'tok/en+of-the-upstream=='
const oauth: Credential = { v: 1, kind: 'oauth2', accessToken: SECRET, refreshToken: 'the-refresh-token' }
const key: Credential = { v: 1, kind: 'api_key', key: SECRET }
const options = { signal: new AbortController().signal, deadlineMs: 1_000 }
const call = { name: 'read', arguments: {}, inputSchema: { type: 'object' }, trace: {}, clientCapabilities: {} }

/** The form of a connection key of account acc_1. */
const OF_ACCOUNT = /^acc_1\.[\w-]{16}$/

/** A simulated upstream, and credentials that are used one after the other. */
function fixture(
  fields: Partial<Registration>,
  credentials: readonly Credential[] = [],
  stored: Partial<Account> = {},
) {
  const remote = madeRemote({ orgId: 'org_1', ...fields })
  const subject = { ...remote, account: credentials.length === 0 ? undefined : madeAccount(remote, stored) }
  const seen: UpstreamCredential[] = []
  let answer: () => unknown = () => ({ content: [] })
  const answered = async (_target: unknown, credential: UpstreamCredential) => {
    seen.push(credential)
    return answer()
  }
  const grants: Pick<Grants, 'send'> = {
    async send(_account, _connector, send) {
      const left = [...credentials]
      for (;;) {
        const credential = left.shift()
        if (credential === undefined) throw new TypeError('There is no other credential')
        const { answer, unauthorized } = await send(credential, null)
        if (!unauthorized || left.length === 0) return answer
      }
    },
  }
  const upstreams = {
    listTools: answered,
    listOffers: answered,
    callTool: answered,
    readResource: answered,
    getPrompt: answered,
  } as Pick<Upstreams, keyof RemoteCaller>
  const caller = createRemoteCaller({
    commands,
    grants,
    upstreams,
    fixedHeaders: { open: () => ({}) },
    signAssertion: async () => '',
  })
  return {
    seen,
    answers(next: typeof answer) {
      answer = next
    },
    call: () => caller.callTool(subject, call, options),
    list: () => caller.listTools(subject, options),
  }
}

t.test('a credential is not sent to a host that it was not stored for', async t => {
  const { seen, call, list } = fixture({ auth: { mode: 'bearer' } }, [key], { identity: 'old.wiki.test' })
  for (const refused of [call(), list()])
    t.match(await refused.catch(error => error), { code: 'upstream_unavailable', message: /has just changed/ })
  t.same(seen, [])
})

t.test('requests authenticate as the registration says, under a connection key that reveals no secret', async t => {
  const cases: [Partial<Registration>, Credential[], { headers: Record<string, string>; key: RegExp }][] = [
    [{ auth: { mode: 'none' } }, [], { headers: {}, key: /^$/ }],
    [{ auth: { mode: 'bearer' } }, [key], { headers: { authorization: `Bearer ${SECRET}` }, key: OF_ACCOUNT }],
    [{ auth: { mode: 'header', headerName: 'x-key' } }, [key], { headers: { 'x-key': SECRET }, key: OF_ACCOUNT }],
    [
      { auth: { mode: 'oauth', oauth: madeOauth } },
      [oauth],
      { headers: { authorization: `Bearer ${SECRET}` }, key: OF_ACCOUNT },
    ],
  ]
  for (const [fields, credentials, expected] of cases) {
    const { call, list, seen } = fixture(fields, credentials)
    await call()
    await list()
    t.match(seen, [expected, expected], String(fields.auth?.mode))
    t.same(seen[0], seen[1], 'the same credential has the same key')
    t.same(Object.keys(seen[0]?.headers ?? {}), Object.keys(expected.headers))
  }
})

t.test('a rejected credential is retried by the rules of grants, then the rejection is thrown', async t => {
  const again = { ...oauth, accessToken: 'a-fresh-one' }
  const { call, seen, answers } = fixture({ auth: { mode: 'oauth', oauth: madeOauth } }, [oauth, again])
  const refusal = new UpstreamError('unauthorized', 'wiki.test does not take it', { status: 401 })
  answers(() => {
    throw refusal
  })
  await t.rejects(call(), refusal)
  t.same(
    seen.map(({ headers }) => headers.authorization),
    [`Bearer ${SECRET}`, 'Bearer a-fresh-one'],
  )
  t.not(seen[0]?.key, seen[1]?.key, 'a session of the one is not gone on in with the other')
})

t.test('a registration without its credential sends no request and names the command that provides it', async t => {
  const cases: [Registration['auth'], RegExp][] = [
    [{ mode: 'oauth', oauth: madeOauth }, /its authorization.*: npm run -s cli -- remote connect wiki --org org_1$/],
    [{ mode: 'bearer' }, /a token.*: npm run -s cli -- remote connect wiki --org org_1 --token -$/],
    [
      { mode: 'header', headerName: 'x-key' },
      /a token.*: npm run -s cli -- remote connect wiki --org org_1 --token -$/,
    ],
  ]
  for (const [auth, message] of cases) {
    const { call, seen } = fixture({ auth })
    await t.rejects(call(), { code: 'needs_reauth', message }, auth.mode)
    t.same(seen, [])
  }
})

t.test('a credential that the upstream echoes is redacted from results, lists and errors', async t => {
  const { call, list, answers } = fixture({ auth: { mode: 'oauth', oauth: madeOauth } }, [oauth])
  const forms = [
    SECRET,
    encodeURIComponent(SECRET),
    JSON.stringify({ authorization: `Bearer ${SECRET}` }),
    Buffer.from(`Bearer ${SECRET}`).toString('base64'),
    'the-refresh-token',
  ]
  for (const form of forms) {
    answers(() => ({
      content: [{ type: 'text', text: `You sent ${form}.` }],
      structuredContent: { list: [{ [`a ${form}`]: 1 }, form] },
      _meta: { header: form },
    }))
    const told = JSON.stringify(await call())
    t.match(told, /redacted/, form)
    for (const part of [form, SECRET]) t.notOk(told.includes(part) || told.includes(JSON.stringify(part).slice(1, -1)))
    answers(() => [{ name: 'read', description: form }])
    t.notMatch(JSON.stringify(await list()), SECRET)
    answers(() => {
      throw new UpstreamError('rpc', `no such token: ${form}`, { rpcCode: -32000, unsettled: true })
    })
    await t.rejects(
      call(),
      { kind: 'rpc', message: /^no such token: .*\[redacted\]/, rpcCode: -32000, unsettled: true },
      form,
    )
    answers(() => {
      const challenge = `Bearer error="insufficient_scope", scope="read ${form}"`
      throw new UpstreamError('insufficient_scope', 'wiki.test asks for more.', {
        challenge,
        status: 403,
        retryAfter: 5,
      })
    })
    await t.rejects(
      call(),
      {
        kind: 'insufficient_scope',
        message: 'wiki.test asks for more.',
        challenge: /^Bearer error="insufficient_scope", scope="read .*\[redacted\]/,
        status: 403,
        retryAfter: 5,
        unsettled: false,
      },
      `${form} in a challenge`,
    )
  }
})

t.test('an answer without the credential is returned as the same object', async t => {
  const { call, answers } = fixture({ auth: { mode: 'bearer' } }, [key])
  const result: ToolResult = {
    content: [{ type: 'text', text: 'words' }],
    structuredContent: { deep: [null, 1, true] },
  }
  answers(() => result)
  t.equal(await call(), result)
})
