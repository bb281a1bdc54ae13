import { CallToolResultSchema, ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { type Static, type TObject, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import pg from 'pg'
import t, { type Test } from 'tap'
import { openDatabase } from '../../lib/database/open-database.ts'
import { createJobs } from '../../lib/jobs/jobs.ts'
import { Memory } from '../../services/memory/memory.ts'
import { defineMemoryIndex } from '../../services/memory/search-index.ts'
import { fold, wordsOf } from '../../services/memory/search-text.ts'
import { memoryTools } from '../../tools/memory.ts'
import { anyText } from '../fixtures/any-text.ts'
import { silent, testDatabase, testDatabaseUrl } from '../fixtures/database.ts'
import { directoryOn, type TestMember, testIds } from '../fixtures/directory.ts'
import { QUIET_CLIENT, testClock } from '../fixtures/fixture.ts'
import fc from '../fixtures/property.ts'
import { MEMORY_LIMITS } from '../fixtures/settings.ts'

// Embedded database: its full-text search.

const Found = Type.Object({ memories: Type.Array(Memory), next_cursor: Type.Optional(Type.String()) })

const LANGUAGES: readonly [memory: string, queries: readonly string[]][] = [
  ['Die Größe des Servers ändert sich jährlich', ['GRÖSSE', 'ändert', 'Andert', 'jährlihc', 'Server']],
  ['Пароль от сети лежит в сейфе у Алёны', ['пароль', 'ПАРОЛЬ', 'Алены', 'пороль', 'сейф']],
  ['无线网络的密码是蓝色大象', ['密码', '无线网络', '大象', '无线', '象']],
  ['会議は毎週火曜日に東京タワーで行われます', ['会議', '火曜日', '東京', 'タワー', '東京タワー']],
  ['회의는 매주 화요일에 열립니다', ['회의', '화요일', '화요일에']],
  ['كلمة المرور محفوظة في الخزنة', ['المرور', 'كلمة', 'الخزنه', 'مَحفوظة']],
  ['รหัสผ่านไวไฟอยู่ในลิ้นชัก', ['รหัสผ่าน', 'ผ่าน', 'ลิ้นชัก']],
  ['Ο κωδικός είναι στο συρτάρι', ['ΚΩΔΙΚΟΣ', 'συρταρι']],
  ['Ärger mit dem Krankenversicherungsvertrag', ['arger', 'versicherung', 'Vertrag']],
]

/** The tools on a database with the index by organization, as processes have it soon after their start. */
async function fixture(t: Test, opening = testDatabase(t)) {
  const database = await opening
  const { db } = database
  const clock = testClock()
  const ids = testIds(clock)
  const jobs = createJobs({ db, clock, ids, log: silent, scrub: text => text, owner: 'test' })
  defineMemoryIndex(jobs, database)
  await jobs.runDue()
  const tools = new Map(memoryTools({ db, clock, ids, limits: MEMORY_LIMITS }).map(tool => [tool.entry.name, tool]))
  const signal = new AbortController().signal

  async function call({ caller, identity }: TestMember, name: string, args: object = {}) {
    clock.advance(1)
    const tool = tools.get(`memory__${name}`)!
    const refused = tool.refuse(args)
    if (refused !== undefined) throw new TypeError(refused)
    return CallToolResultSchema.parse(
      await tool.run(args, {
        caller,
        identity,
        origin: 'http://localhost',
        client: QUIET_CLIENT,
        account: undefined,
        idempotencyDigest: undefined,
        reportCost() {},
        signal,
      }),
    )
  }
  async function structured<T extends TObject>(
    schema: T,
    member: TestMember,
    name: string,
    args: object = {},
  ): Promise<Static<T>> {
    const { structuredContent } = await call(member, name, args)
    Value.Assert(schema, structuredContent)
    return structuredContent
  }

  return {
    db,
    clock,
    tools,
    call,
    organization: directoryOn(db, clock).members,
    remember: async (member: TestMember, memory: string, scope?: 'private' | 'shared') =>
      (await structured(Type.Object({ id: Type.String() }), member, 'remember', { memory, ...(scope && { scope }) }))
        .id,
    search: async (member: TestMember, query: string, rest: object = {}) =>
      (await structured(Found, member, 'search_memory', { query, ...rest })).memories.map(({ memory }) => memory),
    list: (member: TestMember, args: object = {}) => structured(Found, member, 'list_memories', args),
  }
}

t.test('memory', async t => {
  const { tools, call, organization, remember, search, list, clock } = await fixture(t)

  await t.test('its tools are valid entries with hints, input schemas and output schemas', async t => {
    const entries = [...tools.values()].map(({ entry }) => entry)
    t.doesNotThrow(() => ListToolsResultSchema.parse({ tools: entries }))
    for (const { annotations, outputSchema, inputSchema } of entries) {
      t.type(annotations?.readOnlyHint, 'boolean')
      t.equal(outputSchema?.type, 'object')
      t.equal(inputSchema.additionalProperties, false)
    }
  })

  await t.test('a search finds what was remembered, with its ID and its text', async t => {
    const [ada] = await organization('member')
    const result = await call(ada, 'remember', { memory: ' The deploy key lives in the blue safe. ' })
    t.match(result.structuredContent, {
      id: /^mem_[0-9a-f]{32}$/,
      memory: 'The deploy key lives in the blue safe.',
      scope: 'private',
      created_at: new Date(clock.now()).toISOString(),
    })
    const found = await call(ada, 'search_memory', { query: 'where is the deploy key' })
    t.match(found.content, [{ type: 'text', text: /^The deploy key lives in the blue safe\.\n\[mem_/ }])
    t.match(found.structuredContent, { memories: [{ ...result.structuredContent }] })
    t.match((await call(ada, 'search_memory', { query: 'zebra' })).structuredContent, { memories: [] })
  })

  await t.test('private memories are visible only to their author, shared ones to the organization', async t => {
    const [ada, bob] = await organization('member', 'owner')
    const [eve] = await organization('owner')
    await remember(ada, 'alpha private')
    await remember(ada, 'alpha shared', 'shared')
    t.same((await search(ada, 'alpha')).sort(), ['alpha private', 'alpha shared'])
    t.same(await search(ada, 'alpha', { scope: 'private' }), ['alpha private'])
    t.same(await search(ada, 'alpha', { scope: 'shared' }), ['alpha shared'])
    t.same(await search(bob, 'alpha'), ['alpha shared'])
    t.same(await search(bob, 'alpha', { scope: 'private' }), [])
    t.same(await search(eve, 'alpha'), [])
    t.match((await list(bob)).memories, [{ memory: 'alpha shared', author: ada.caller.userId }])
    t.same((await list(eve)).memories, [])
  })

  await t.test('another member’s private memory and another organization’s memory look like an unknown ID', async t => {
    const [ada, bob] = await organization('member', 'owner')
    const [eve] = await organization('owner')
    const hidden = await remember(ada, 'hidden')
    const shared = await remember(ada, 'open', 'shared')
    const unknown = `mem_${'0'.repeat(32)}`
    const message = async (member: TestMember, name: string, id: string, more = {}) =>
      call(member, name, { id, ...more }).then(
        () => t.fail('was accepted'),
        error => {
          t.equal(error.code, 'not_found')
          return error.message.replace(id, '<id>')
        },
      )
    for (const [name, more] of [
      ['forget', {}],
      ['update_memory', { memory: 'mine now' }],
      ['update_memory', { scope: 'shared' }],
    ] as const) {
      const reference = await message(bob, name, unknown, more)
      t.equal(await message(bob, name, hidden, more), reference)
      t.equal(await message(eve, name, shared, more), reference)
      t.equal(await message(eve, name, hidden, more), reference)
    }
    t.same(
      (await list(ada)).memories.map(({ memory }) => memory),
      ['open', 'hidden'],
    )
  })

  await t.test('only its author, an owner and an admin change a shared memory', async t => {
    const [author, member, admin, owner] = await organization('member', 'member', 'admin', 'owner')
    const id = await remember(author, 'the office opens at eight', 'shared')
    for (const [name, args] of [
      ['update_memory', { id, memory: 'x' }],
      ['forget', { id }],
    ] as const)
      await t.rejects(call(member, name, args), { code: 'admin_required' })
    for (const [who, hour] of [
      [author, 'nine'],
      [admin, 'ten'],
      [owner, 'eleven'],
    ] as const) {
      await call(who, 'update_memory', { id, memory: `the office opens at ${hour}` })
      t.same(await search(member, hour), [`the office opens at ${hour}`])
    }
    t.same(await search(member, 'nine'), [], 'the old text is no longer found')
    const kept = (await list(member)).memories[0]
    t.match(kept, { id, author: author.caller.userId }, 'the author stays')
    t.ok(kept!.updated_at > kept!.created_at)
    await call(author, 'update_memory', { id, scope: 'private' })
    t.same((await list(member)).memories, [])
    await t.rejects(call(owner, 'forget', { id }), { code: 'not_found' })
    await call(author, 'forget', { id })
    await t.rejects(call(author, 'forget', { id }), { code: 'not_found' })
    await t.rejects(call(author, 'update_memory', { id }), { code: 'invalid_request' })
  })

  await t.test('pages list everything once, the newest first, also if memories are added meanwhile', async t => {
    const [ada, bob] = await organization('member', 'member')
    for (let i = 0; i < 12; i++)
      await remember(i % 3 === 0 ? bob : ada, `note ${i}`, i % 2 === 0 ? 'shared' : 'private')
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await list(ada, { limit: 4, ...(cursor && { cursor }) })
      seen.push(...page.memories.map(({ memory }) => memory))
      cursor = page.next_cursor
      await remember(ada, 'came in meanwhile')
    } while (cursor !== undefined)
    t.same(
      seen,
      [11, 10, 8, 7, 6, 5, 4, 2, 1, 0].map(i => `note ${i}`),
    )
    t.equal((await list(ada, { scope: 'shared', limit: 6 })).next_cursor, undefined, 'a full last page is the last')
    const { next_cursor } = await list(ada, { limit: 1 })
    for (const bad of [
      'x',
      '!!!',
      `${next_cursor}=`,
      next_cursor!.slice(0, -2),
      Buffer.from('1:usr_1').toString('base64url'),
    ])
      await t.rejects(list(ada, { cursor: bad }), { code: 'invalid_request', message: /next_cursor/ }, bad)
  })

  await t.test('exact words come before prefixes, prefixes before typos, and of equals the newest first', async t => {
    const [ada] = await organization('member')
    for (const memory of ['gateway one', 'gatewy slip', 'gateways many', 'gateway two']) await remember(ada, memory)
    t.same(await search(ada, 'gateway'), ['gateway two', 'gateway one', 'gateways many', 'gatewy slip'])
    t.same(await search(ada, 'gateway', { limit: 2 }), ['gateway two', 'gateway one'])
    t.same(await search(ada, 'Getaway'), [], 'a typo is one letter')
  })

  await t.test('rare words weigh more than common ones', async t => {
    const [ada] = await organization('member')
    await remember(ada, 'wifi code: hunter2')
    for (let i = 0; i < 20; i++) await remember(ada, `what is the plan for the week ${i}`)
    t.equal((await search(ada, 'what is the wifi password'))[0], 'wifi code: hunter2')
  })

  await t.test('a typo of one letter in a word of six finds it, in any place', async t => {
    const [ada] = await organization('member')
    await remember(ada, 'Our planet has a Kubernetes cluster')
    for (const query of [
      'planat',
      'plnet',
      'plaanet',
      'lpanet',
      'plaent',
      'planets',
      'Kubernets',
      'kubrenetes',
      'clustre',
    ])
      t.equal((await search(ada, query)).length, 1, query)
    for (const query of ['plants', 'hamster']) t.same(await search(ada, query), [], query)
  })

  await t.test('search works in many languages and scripts', async t => {
    const [ada] = await organization('member')
    for (const [memory] of LANGUAGES) await remember(ada, memory)
    for (const [memory, queries] of LANGUAGES)
      for (const query of queries) t.equal((await search(ada, query))[0], memory, `${query} finds ${memory}`)
  })

  await t.test('a search without words returns an empty list', async t => {
    const [ada] = await organization('member')
    await remember(ada, 'something')
    for (const query of ['?!', '   ', '\u0000', '\ud800', '😀', "'", '\\', ':* & | !', '%_'])
      t.same(await search(ada, query), [], query)
  })

  await t.test('an empty memory is rejected, and characters that cannot be stored are removed from others', async t => {
    const [ada] = await organization('member')
    for (const memory of ['\u0000', '  \n', '\u0000 \u0000'])
      await t.rejects(remember(ada, memory), { code: 'invalid_request', message: /empty/ })
    await remember(ada, 'nul\u0000l and half \ud83d pair 👩‍👩‍👧')
    t.same(await search(ada, 'null'), ['null and half \ufffd pair 👩‍👩‍👧'])
    await t.rejects(remember(ada, 'x'.repeat(16_001)), /16000 characters/)
    await t.rejects(search(ada, 'x'.repeat(1_001)), /1000 characters/)
    await t.rejects(search(ada, 'x', { limit: 0 }), /from 1 to 50; got 0/)
    await t.rejects(list(ada, { limit: 51 }), /; got 51/)
  })

  await t.test('the longest memories of any script are stored and found', async t => {
    const [ada] = await organization('member')
    const han = Array.from({ length: 16_000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join('')
    for (const memory of [
      han,
      '𠮷'.repeat(8_000),
      'x'.repeat(16_000),
      'ab '.repeat(5_333),
      '\\'.repeat(8_000),
      "q'".repeat(8_000),
    ])
      await remember(ada, memory)
    t.equal((await search(ada, han.slice(500, 510)))[0], han)
  })

  await t.test('any text can be remembered, and its words find it', async t => {
    const [ada] = await organization('member')
    await fc.assert(
      fc.asyncProperty(anyText({ minLength: 1, maxLength: 60 }), async text => {
        const id = await remember(ada, text).catch(error => {
          if (error.code !== 'invalid_request') throw error
        })
        const result = await call(ada, 'search_memory', { query: text, limit: 50 })
        Value.Assert(Found, result.structuredContent)
        const wordless = wordsOf(fold(text.replaceAll('\u0000', ''))).length === 0
        return id === undefined || wordless || result.structuredContent.memories.some(memory => memory.id === id)
      }),
      { numRuns: 45 },
    )
    t.pass()
  })
})

t.test('search does not depend on the locale of the database', { skip: noServer() }, async t => {
  const { organization, remember, search } = await fixture(t, databaseInC(t, testDatabaseUrl!))
  const [ada] = await organization('member')
  for (const [memory] of LANGUAGES) await remember(ada, memory)
  for (const [memory, queries] of LANGUAGES)
    for (const query of queries) t.equal((await search(ada, query))[0], memory, `${query} finds ${memory}`)
})

function noServer(): string | false {
  return testDatabaseUrl === undefined && 'the embedded database has one locale; set TEST_DATABASE_URL'
}

async function databaseInC(t: Test, server: string) {
  const client = new pg.Client(server)
  await client.connect()
  const name = `cgw_test_c_${process.pid}`
  await client.query(`create database ${name} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const database = await openDatabase({ postgres: { url: url.href, maxConnections: 2 }, dataDir: '', log: silent })
  t.teardown(async () => {
    await database.close()
    await client.query(`drop database ${name} with (force)`)
    await client.end()
  })
  await database.migrate()
  return database
}
