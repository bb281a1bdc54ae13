import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { MESSAGES_BLOCK } from '../docs/clients-page.ts'
import { commands } from './clients/commands.ts'
import { type Case, clientCases, signInCases } from './clients/gateways.ts'
import { HIDES, messagesBlock, REFUSALS, type Refusal, type Sentences } from './clients/messages.ts'
import { programs } from './clients/programs.ts'
import { sandbox } from './clients/sandbox.ts'
import { scriptedModel } from './clients/scripted-model.ts'
import { MEMORY, type Shown, type TestedClient, TOOL } from './clients/tested-client.ts'

const PAGE = new URL('../../docs/clients.md', import.meta.url)
const REFUSED = Object.keys(REFUSALS) as Refusal[]

const cases = await clientCases(t)
const model = await scriptedModel(t, TOOL, { memory: MEMORY })
const sentences = await sentencesOf(cases)
const used = await useAll([...commands(t, model), ...(await programs(sandbox(t), cases))])

t.test('every client lists the tools and calls one', async t => {
  t.equal(used.length, 13)
  for (const { client, shown } of used)
    t.match(shown.good, { listed: true, called: true }, `${client.name}: ${shown.good.text}`)
})

t.test('the gateway says something different in each case', async t => {
  const said = Object.values(sentences)
  t.equal(new Set(said).size, said.length)
  for (const sentence of said) t.match(sentence, /^[A-Z].{30,}\.$/)
})

t.test('a client shows what the gateway says when it refuses a request, unless it is known to hide it', async t => {
  for (const { client, shown } of used)
    for (const refusal of REFUSED) {
      const { text } = shown[refusal]
      const isHidden = client.id in HIDES
      t.equal(text.includes(sentences[refusal]), !isHidden, `${client.name}, ${refusal}: ${text}`)
      if (isHidden) t.match(text, HIDES[client.id]?.shows)
    }
  t.ok(used.filter(({ client }) => !(client.id in HIDES)).length >= 10)
})

t.test('docs/clients.md shows what the clients show', async t => {
  const current = readFileSync(PAGE, 'utf8')
  const block = `<!-- messages:begin -->\n${messagesBlock(used, sentences)}\n<!-- messages:end -->`
  const page = current.replace(MESSAGES_BLOCK, () => block)
  t.notMatch(block, /cgw_|eyJ/, 'no credential')
  if (process.env.TAP_SNAPSHOT === '1') writeFileSync(PAGE, page)
  else t.equal(current, page, 'run TAP_SNAPSHOT=1 node test/slow/clients.test.ts')
})

t.test(
  'where the gateway also offers sign-in, every command uses a key, and only mcp-remote signs in without one',
  async t => {
    const tried = await signInCases(t)
    await Promise.all(
      commands(t, model).map(async client => {
        for (const one of tried) {
          const shown = await client.use(one)
          if (one.name === 'good') t.match(shown, { listed: true, called: true }, `${client.name}: ${shown.text}`)
          else if (client.id === 'mcp-remote') t.match(shown.text, 'Please authorize this client by visiting')
          const says = one.name === 'rejected' && client.id !== 'mcp-remote' && !(client.id in HIDES)
          t.equal(
            shown.text.includes(sentences.rejected),
            says,
            `${client.name}, ${one.name}: else correct docs/clients.md`,
          )
        }
      }),
    )
  },
)

/** Uses every client in every case: three clients at a time, and one case of a client after the other. */
async function useAll(clients: readonly TestedClient[]) {
  const results: { client: TestedClient; shown: Record<Case['name'], Shown> }[] = []
  const waiting = clients.entries()
  const lane = async () => {
    for (const [index, client] of waiting) {
      const shown: [string, Shown][] = []
      for (const tried of cases) shown.push([tried.name, await client.use(tried)])
      results[index] = { client, shown: Object.fromEntries(shown) as Record<Case['name'], Shown> }
    }
  }
  await Promise.all([lane(), lane(), lane()])
  return results
}

/** What the gateway says in each case. */
async function sentencesOf(cases: readonly Case[]): Promise<Sentences> {
  const said: Partial<Sentences> = {}
  for (const { name, origin, header, credential } of cases) {
    if (name === 'good') continue
    const response = await fetch(`${origin}/mcp`, {
      method: 'POST',
      headers: {
        [header]: header === 'x-api-key' ? credential : `Bearer ${credential}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: TOOL, arguments: { memory: MEMORY } },
      }),
    })
    const { result, error } = (await response.json()) as {
      result?: { content: { text: string }[] }
      error?: { message: string }
    }
    said[name] = error?.message ?? JSON.parse(result?.content[0]?.text ?? '{}').error?.message
  }
  const { rejected = '', expired = '', limited = '' } = said
  return { rejected, expired, limited, 'no-organization': said['no-organization'] ?? '' }
}
