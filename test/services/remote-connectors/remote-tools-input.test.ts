import { createSecretKey, randomBytes } from 'node:crypto'
import { isInputRequiredResult, isSpecType } from '@modelcontextprotocol/client'
import t from 'tap'
import { createVault } from '../../../lib/vault/vault.ts'
import type { InputRequiredResult } from '../../../schemas/tools/mcp.ts'
import { createRequestStates, type StatefulCall } from '../../../services/remote-connectors/calls/input-required.ts'
import { testClock } from '../../fixtures/fixture.ts'
import { SERVER_INFO } from '../../fixtures/mcp-fixture.ts'
import fc from '../../fixtures/property.ts'
import { ada, bob, errorIn, eve, pinned, remoteToolFixture, remoteWith } from '../../fixtures/remote-tool-fixture.ts'

const form = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Which\u202e page?',
    requestedSchema: { type: 'object', properties: { page: { type: 'string' } } },
  },
}
const link = { method: 'elicitation/create', params: { mode: 'url', message: 'Sign in.', url: 'https://wiki.test/in' } }
const sampling = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 5 } }
const roots = { method: 'roots/list' }
const answers = { page: { action: 'accept', content: { page: 'home' } } }
const elicitation = { capabilities: { elicitation: {} } }

function asking(fields: Partial<InputRequiredResult> = {}) {
  const fixture = remoteToolFixture()
  fixture.remotes.push(
    remoteWith('org_1', [pinned('read'), pinned('write')]),
    remoteWith('org_1', [pinned('read')], { id: 'rem_other', slug: 'other' }),
    remoteWith('org_2', [pinned('read')]),
  )
  const result: InputRequiredResult = { resultType: 'input_required', inputRequests: { page: form }, ...fields }
  fixture.answers(({ call }) =>
    call.inputResponses === undefined ? result : { content: [{ type: 'text', text: 'Done.' }] },
  )
  return fixture
}

t.test('a tool’s questions reach a client that declares elicitation, and the answers reach the tool', async t => {
  const { callModern, reached, finished } = asking({
    requestState: 'the upstream’s own',
    _meta: { 'upstream.test/a': 1, 'connector-gateway/account': {}, [SERVER_INFO]: { name: 'upstream', version: '0' } },
  })
  const args = { b: 1, a: [2] }
  const asked = await callModern(ada, 'org__wiki__read', { args, ...elicitation })
  t.ok(isInputRequiredResult(asked))
  t.strictSame(asked.inputRequests, { page: form })
  t.ok(isSpecType.ElicitRequest((asked.inputRequests as { page: unknown }).page))
  t.match(asked, {
    resultType: 'input_required',
    requestState: /^v1\./,
    _meta: { 'upstream.test/a': 1, [SERVER_INFO]: { name: 'connector-gateway' } },
  })
  t.notOk('content' in asked || 'connector-gateway/account' in (asked._meta as object))
  t.notMatch(asked.requestState, 'own', 'and nobody reads the state on its way')
  t.match(finished, [{ outcome: 'ok' }])

  const again = { args: { a: [2], b: 1 }, inputResponses: answers, requestState: asked.requestState, ...elicitation }
  const done = await callModern(ada, 'org__wiki__read', again)
  t.match(done, { resultType: 'complete', content: [{ text: 'Done.' }] }, 'the order of arguments is none of theirs')
  t.match(reached[1]?.call, {
    name: 'read',
    arguments: args,
    inputResponses: answers,
    requestState: 'the upstream’s own',
    clientCapabilities: { elicitation: {} },
  })
})

t.test('answers are bound to their call in every round, also if the upstream has no state', async t => {
  const fixture = asking()
  const asked = await fixture.callModern(ada, 'org__wiki__read', elicitation)
  t.type(asked.requestState, 'string')
  fixture.answers(() => ({ resultType: 'input_required', inputRequests: { more: form }, requestState: '' }))
  const more = await fixture.callModern(ada, 'org__wiki__read', {
    inputResponses: answers,
    requestState: asked.requestState,
    ...elicitation,
  })
  t.notOk('requestState' in (fixture.reached[1]?.call ?? {}), 'and none is made up for it')
  t.not(more.requestState, asked.requestState)
  await fixture.callModern(ada, 'org__wiki__read', { requestState: more.requestState, ...elicitation })
  t.equal(fixture.reached[2]?.call.requestState, '', 'an empty one is one')
})

t.test('a client without support for input gets the questions and the required capability', async t => {
  const modern = { form: {}, url: {} }
  const cases: [string, InputRequiredResult['inputRequests'], object | undefined, boolean][] = [
    ['a legacy client', { page: form }, undefined, false],
    ['a modern one without elicitation', { page: form }, {}, false],
    ['a modern one that says null', { page: form }, { elicitation: null }, false],
    ['an empty elicitation means forms', { page: form }, { elicitation: {} }, true],
    ['and no links', { page: link }, { elicitation: {} }, false],
    ['forms alone', { page: link }, { elicitation: { form: {} } }, false],
    ['links alone', { page: form }, { elicitation: { url: {} } }, false],
    ['both', { page: form, link }, { elicitation: modern }, true],
    ['one of two', { page: form, model: sampling }, { elicitation: modern }, false],
    ['all that is asked', { page: form, model: sampling, roots }, { elicitation: {}, sampling: {}, roots: {} }, true],
    ['what MCP does not know', { page: { method: 'toString', params: {} } }, { elicitation: modern }, false],
    ['what is no request', { page: 'Which?' }, { elicitation: modern }, false],
    ['a state alone', undefined, {}, true],
    ['a state alone, to a legacy client', undefined, undefined, false],
  ]
  for (const [name, inputRequests, capabilities, passes] of cases) {
    const { call, callModern, answers: answer, finished } = asking()
    answer(() => ({ resultType: 'input_required', requestState: 's', ...(inputRequests && { inputRequests }) }))
    const result =
      capabilities === undefined
        ? await call(ada, 'org__wiki__read')
        : await callModern(ada, 'org__wiki__read', { capabilities })
    t.equal(isInputRequiredResult(result), passes, name)
    if (passes) continue
    t.match(errorIn(result), {
      code: 'input_required',
      message: /^read of The wiki requires input.*declares elicitation/,
    })
    t.match(finished, [{ outcome: 'input_required' }])
  }
  const { call } = asking()
  t.match(errorIn(await call(ada, 'org__wiki__read')).message, /it asks the user: “Which page\?” \(page\)/)
})

t.test('answers without a state, and expired or foreign states, must start again', async t => {
  const fixture = asking({ requestState: 'own' })
  const { callModern, reached, clock } = fixture
  const asked = await callModern(ada, 'org__wiki__read', elicitation)
  const { requestState } = asked
  const params = { inputResponses: answers, requestState, ...elicitation }
  const attempts = {
    'no state': () => callModern(ada, 'org__wiki__read', { inputResponses: answers, ...elicitation }),
    'another tool': () => callModern(ada, 'org__wiki__write', params),
    'another registration': () => callModern(ada, 'org__other__read', params),
    'another member': () => callModern(bob, 'org__wiki__read', params),
    'another organization': () => callModern(eve, 'org__wiki__read', params),
    'other arguments': () => callModern(ada, 'org__wiki__read', { ...params, args: { page: 'x' } }),
    'a tampered state': () =>
      callModern(ada, 'org__wiki__read', { ...params, requestState: `${requestState}-TAMPERED` }),
    'an endless state': () => callModern(ada, 'org__wiki__read', { ...params, requestState: 'v1.'.repeat(50_000) }),
  }
  for (const [name, attempt] of Object.entries(attempts))
    t.match(errorIn(await attempt()), { code: 'invalid_request', message: /Start again/ }, name)
  clock.advance(10 * 60_000)
  t.match(errorIn(await callModern(ada, 'org__wiki__read', params)), { code: 'invalid_request' }, 'after ten minutes')
  t.equal(reached.length, 1, 'and none of it reaches the upstream')
  t.same(fixture.failed, [])
})

t.test('a state that is too long is reported as the upstream’s fault', async t => {
  const { callModern } = asking({ requestState: 'x'.repeat(64 * 1024) })
  t.match(errorIn(await callModern(ada, 'org__wiki__read', elicitation)), {
    code: 'upstream_unavailable',
    message: /state/,
  })
})

t.test('a sealed state opens only unaltered and only for its call', async t => {
  const clock = testClock()
  const vault = createVault([{ id: 'one', key: createSecretKey(randomBytes(32)) }])
  const states = createRequestStates({ vault, clock })
  const text = fc.string({ unit: 'binary', maxLength: 40 })
  const call: fc.Arbitrary<StatefulCall> = fc.record({
    orgId: text,
    userId: text,
    remoteId: text,
    tool: text,
    arguments: fc.object({ maxDepth: 2, maxKeys: 4 }),
  })
  const opens = (of: StatefulCall, sealed: string) => {
    try {
      states.open(of, sealed)
      return true
    } catch (error) {
      if ((error as { code?: string }).code === 'invalid_request') return false
      throw error
    }
  }

  fc.assert(
    fc.property(
      call,
      fc.option(text, { nil: undefined }),
      (call, state) => states.open(call, states.seal(call, state)) === state,
    ),
  )
  fc.assert(
    fc.property(
      call,
      text,
      fc.constantFrom('orgId', 'userId', 'remoteId', 'tool'),
      text,
      (call, state, member, other) => {
        fc.pre(call[member] !== other)
        return !opens({ ...call, [member]: other }, states.seal(call, state))
      },
    ),
  )
  fc.assert(
    fc.property(call, text, fc.string(), (call, state, name) => {
      const more = { ...(call.arguments as object), [name]: 'another' }
      fc.pre(!Object.is((call.arguments as Record<string, unknown>)[name], 'another'))
      return !opens({ ...call, arguments: more }, states.seal(call, state))
    }),
  )
  const ours = { orgId: 'org_1', userId: 'usr_1', remoteId: 'rem_1', tool: 'read', arguments: {} }
  const sealed = states.seal(ours, 'state')
  const characters = 'ABCdefxyz0189-_.=+/ \n'
  for (let at = 0; at < sealed.length; at++) {
    const others = [...characters].filter(character => character !== sealed[at])
    const altered = others.map(other => sealed.slice(0, at) + other + sealed.slice(at + 1))
    altered.push(
      sealed.slice(0, at),
      sealed.slice(0, at) + sealed.slice(at + 1),
      `${sealed.slice(0, at)}A${sealed.slice(at)}`,
    )
    t.same(
      altered.filter(text => opens(ours, text)),
      [],
      `altered at ${at}`,
    )
  }
  t.ok(opens(ours, sealed))
  clock.advance(10 * 60_000 - 1)
  t.ok(opens(ours, sealed))
  clock.advance(1)
  t.notOk(opens(ours, sealed))
})
