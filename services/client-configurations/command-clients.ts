import { quoteForShell } from '../../lib/command-line.ts'
import { type ClientConfiguration, headerWord, keyOr, type Target } from './client-configuration.ts'

/** Commands that list and call tools without a model, to try a gateway or to use it in a script. */
export function commandClients(target: Target): ClientConfiguration[] {
  return [inspector(target), mcporter(target), curl(target)]
}

function inspector(target: Target): ClientConfiguration {
  const line = `npx -y @modelcontextprotocol/inspector@2 --cli ${quoteForShell(target.url)} --transport http`
  const header = `--header ${headerWord(target)} --stored-auth-only`
  return {
    id: 'inspector',
    name: 'MCP Inspector',
    kind: 'command',
    key: { steps: [{ kind: 'command', command: `${line} ${header} --method tools/list` }] },
    signIn: { steps: [{ kind: 'command', command: `${line} --method tools/list` }] },
    notes: [
      'To call a tool: `--method tools/call --tool-name memory__remember --tool-arg memory="The demo is on Friday"`.',
      'With `--stored-auth-only`, a rejected key is shown as such, and no browser opens. Without `--cli`, the Inspector opens in the browser.',
    ],
  }
}

function mcporter(target: Target): ClientConfiguration {
  const { url, variable } = target
  const line = `npx -y mcporter@0.12 --log-level info list --http-url ${quoteForShell(url)}`
  const plain = url.startsWith('http:') ? ' --allow-http' : ''
  const word =
    target.secret === undefined ? `"x-api-key=$${variable}"` : quoteForShell(`x-api-key=${keyOr(target, '')}`)
  return {
    id: 'mcporter',
    name: 'mcporter',
    kind: 'command',
    key: { steps: [{ kind: 'command', command: `${line}${plain} --no-oauth --header ${word}` }] },
    signIn: { steps: [{ kind: 'command', command: `${line}${plain}` }] },
    notes: [
      'To call a tool, write `call` for `list`, and the tool with its arguments at the end: `memory__remember memory="The demo is on Friday"`.',
      '`--log-level info` shows why the gateway rejected a request, behind `Streamable HTTP error`. With a key, the `mcporter auth` that it then suggests does not help.',
    ],
  }
}

function curl(target: Target): ClientConfiguration {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  return {
    id: 'curl',
    name: 'curl',
    kind: 'command',
    key: {
      steps: [
        {
          kind: 'command',
          command: [
            `curl ${quoteForShell(target.url)} -H ${headerWord(target)} -H 'content-type: application/json'`,
            `-H 'accept: application/json, text/event-stream' -d '${JSON.stringify(message)}'`,
          ].join(' \\\n  '),
        },
      ],
    },
    signIn: {
      unsupported:
        'curl cannot open a browser. Send a key, or a token that you already have: `-H "authorization: Bearer $TOKEN"`.',
    },
    notes: [],
  }
}
