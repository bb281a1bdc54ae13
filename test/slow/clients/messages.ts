import type { Case } from './gateways.ts'
import type { Shown, TestedClient } from './tested-client.ts'

/** The cases in which the gateway refuses something, with the title of their column. */
export const REFUSALS = {
  rejected: 'a revoked key',
  expired: 'an expired key',
  limited: 'the rate limit',
  'no-organization': 'no organization',
} satisfies Partial<Record<Case['name'], string>>

export type Refusal = keyof typeof REFUSALS

/** What the gateway says in each case. */
export type Sentences = Record<Refusal, string>

/** The clients that do not show it: what they show instead, and why. */
export const HIDES: Record<string, { shows: RegExp; reason: string }> = {
  'gemini-cli': {
    shows: /✗ .* - Disconnected|MCP error -32602: Structured content does not match the tool's output schema/,
    reason:
      '`gemini mcp list` drops the text of every failed connection. After a call, it takes the JSON of a tool error for the ' +
      "structured result of the tool, and rejects it because it does not match the tool's output schema. `curl` with the same key shows " +
      'what the gateway says.',
  },
}

/** Renders the block between the markers of docs/clients.md. */
export function messagesBlock(
  clients: readonly { client: TestedClient; shown: Record<Refusal, Shown> }[],
  sentences: Sentences,
): string {
  const refusals = Object.keys(REFUSALS) as Refusal[]
  const number = (refusal: Refusal) => `**(${refusals.indexOf(refusal) + 1})**`
  const cell = ({ text }: Shown, refusal: Refusal) => (text.includes(sentences[refusal]) ? number(refusal) : '–')
  /** The client's own words around the sentence, or instead of it. */
  const leadOf = (id: string, { text }: Shown, refusal: Refusal) => {
    if (!text.includes(sentences[refusal])) return code(HIDES[id]?.shows.exec(normalized(text))?.[0] ?? 'nothing')
    return lead(normalized(text), normalized(sentences[refusal]))
  }
  return [
    '`TAP_SNAPSHOT=1 node test/slow/clients.test.ts` runs these clients, as this page configures them, and writes this section. The gateway of',
    'the table offers no sign-in. Where yours does, mcp-remote answers a revoked or expired key by opening the browser, and shows none of these',
    'sentences. The other commands do the same with and without sign-in; programs sign in only if they are given an `authProvider`.',
    '',
    row('', 'the gateway says, for', ''),
    row('---', '---', '---'),
    ...refusals.map(key => row(number(key), REFUSALS[key], `\`${normalized(sentences[key])}\``)),
    '',
    row('client', 'where its user looks', ...Object.values(REFUSALS)),
    row('---', '---', ...refusals.map(() => '---')),
    ...clients.map(({ client, shown }) =>
      row(
        `${client.name} (${client.version})`,
        client.place,
        ...refusals.map(refusal => cell(shown[refusal], refusal)),
      ),
    ),
    '',
    'Around the sentence, clients put words of their own, which may be what you search for:',
    '',
    ...clients.flatMap(({ client: { id, name }, shown }) => {
      const leads = new Set(refusals.map(refusal => leadOf(id, shown[refusal], refusal)).filter(Boolean))
      return leads.size === 0 ? [] : [`- ${name}: ${[...leads].join(' · ')}`]
    }),
    '',
    ...clients.flatMap(({ client: { id, name } }) =>
      HIDES[id] === undefined ? [] : [`${name} does not show it. ${HIDES[id].reason}`],
    ),
  ].join('\n')
}

function row(...cells: string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** The client's own words before the sentence: of its line, or of the first line. */
function lead(text: string, sentence: string): string {
  const lines = text.split('\n').map(line => line.trim())
  const [first = '', own = ''] = [lines[0], lines.find(line => line.includes(sentence))?.split(sentence)[0]]
  const words = [own, first].map(line => line.split('{')[0]?.trim() ?? '').find(line => line.length > 12) ?? ''
  return words === '' ? '' : code(words)
}

function code(text: string): string {
  const short = text.length > 130 ? `${text.slice(0, 90)} … ${text.slice(-35)}` : text
  return `\`${short.replaceAll('`', "'").replaceAll('|', '\\|')}\``
}

/** Replaces what differs between runs: ports, processes, dates, colors. */
function normalized(text: string): string {
  return (
    text
      .trim()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colors begin with one.
      .replaceAll(/\u001b\[[\d;]*m/g, '')
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://gateway.example')
      .replaceAll(/^\[\d+\] /gm, '')
      .replaceAll('127-0-0-1-mcp', 'connector-gateway')
      .replaceAll(/\d{4}-\d\d-\d\d/g, '2026-01-31')
  )
}
