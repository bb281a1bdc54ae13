import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import type { ConnectorDefinition } from '../../services/definitions/connector-types.ts'
import { build } from '../fixtures/build.ts'
import { upstream } from '../fixtures/egress-fixture.ts'
import { callerOfApp, json } from '../fixtures/journey-fixture.ts'
import { describedMock } from './described-mock.ts'
import { uncheckable } from './prism.ts'

const DOCUMENT = new URL('../../docs/connectors.md', import.meta.url)
/** The location of the documented connector, to resolve its imports. */
const PLACE = new URL('../../tools/connectors/unsplash/connector.ts', import.meta.url)
const OPERATION = 'GET /search/photos'

/** Returns the text of the connector at the end of the document. */
function documentedText(): string {
  const blocks = [...readFileSync(DOCUMENT, 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
  return blocks.at(-1)?.[1] ?? ''
}

/** Loads the connector as if it were in its folder. */
async function documented(t: Test): Promise<ConnectorDefinition> {
  const source = documentedText().replaceAll(/ from '([^']+)'/g, (_, specifier: string) => {
    const url = specifier.startsWith('.') ? new URL(specifier, PLACE).href : import.meta.resolve(specifier)
    return ` from '${url}'`
  })
  const directory = mkdtempSync(join(tmpdir(), 'connector-gateway-docs-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  const path = join(directory, 'connector.ts')
  writeFileSync(path, source)
  const { unsplash } = (await import(pathToFileURL(path).href)) as { unsplash: ConnectorDefinition }
  return unsplash
}

/** A member with an account connected by a key, in an app that overrides the base URL. */
async function connected(t: Test, url: string) {
  const built = await build(t, {
    connectors: [await documented(t)],
    settings: { connectorOverrides: new Map([['unsplash', { base_url: url }]]) },
  })
  const [ada] = await built.directory.members('member')
  const apiKey = await ada.key()
  const key = `key_${crypto.randomUUID()}`
  const request = { caller: ada.caller, connector: 'unsplash', scope: 'private' } as const
  await built.services.connecting.connectWithKey({ ...request, key })
  return { caller: callerOfApp(built, { 'x-api-key': apiKey.key }), key }
}

t.test('the connector at the end of docs/connectors.md works unchanged', async t => {
  const { id, tools } = await documented(t)
  t.equal(`${id}__${tools.map(({ operation }) => operation)}`, 'unsplash__search_photos')

  const photo = { id: 'p1', description: null, urls: { regular: 'https://images.test/1', raw: 'x' }, likes: 4 }
  const provider = await upstream(t, (_request, response) => json(response, 200, { total: 1, results: [photo] }))
  const { caller, key } = await connected(t, provider.origin)
  t.match(await caller.entry('unsplash'), {
    name: 'Unsplash',
    category: 'creative',
    status: 'connected',
    accounts: [{ auth_kind: 'api_key', key_verified: false }],
  })
  t.same([...(await caller.tools('unsplash')).keys()], ['unsplash__search_photos'])
  const { data } = await caller.call('unsplash__search_photos', { query: 'red lighthouse' })
  t.match(data, { items: [{ id: 'p1', urls: { regular: 'https://images.test/1' } }] })
  t.notMatch(JSON.stringify(data), 'likes')
  t.match(provider.requests, [
    {
      method: 'GET',
      url: '/search/photos?query=red%20lighthouse&per_page=10',
      headers: { authorization: `Client-ID ${key}`, 'accept-version': 'v1' },
    },
  ])
})

t.test('it passes the linter and the formatter unchanged', async t => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const path = relative(root, fileURLToPath(PLACE))
  const options = { cwd: root, input: documentedText(), encoding: 'utf8' } as const
  const biome = join(root, 'node_modules/.bin/biome')
  const { stdout, stderr, status } = spawnSync(biome, ['check', '--write', `--stdin-file-path=${path}`], options)
  t.same({ status, stdout }, { status: 0, stdout: documentedText() }, stderr)
})

t.test('it sends a request that matches the provider’s own description', { skip: uncheckable }, async t => {
  const mock = await describedMock(t, { file: 'unsplash.yaml', responseDepth: 3, departures: {} }, [OPERATION])
  const { caller } = await connected(t, mock.url)
  mock.expect({ operation: OPERATION, departure: undefined, accept: undefined, fallback: undefined })
  const { outcome, data, text } = await caller.call('unsplash__search_photos', { query: 'red lighthouse', limit: 5 })
  t.equal(outcome, 'ok', text)
  t.ok(Array.isArray(data.items))
  const { violations, unknown } = mock.verdict()
  t.same([...violations, ...unknown], [])

  mock.expect({ operation: OPERATION, departure: undefined, accept: undefined, fallback: undefined })
  await (await fetch(`${mock.url}/search/photos?per_page=many`)).arrayBuffer()
  t.not(mock.verdict().violations.length, 0, 'another request does not match')
})
