import { quoteForShell } from '../../lib/command-line.ts'
import { type ClientConfiguration, literalKey, REPLACE_KEY, type Target } from './client-configuration.ts'
import { base64Parameter, json } from './encodings.ts'

/** Pinned: the command runs with the user's rights, and an update should be a decision. */
const MCP_REMOTE = 'mcp-remote@0.15.1'

/** Claude Desktop, ChatGPT, LM Studio, and every app that starts its servers as commands. */
export function appClients(target: Target): ClientConfiguration[] {
  return [claudeDesktop(target), chatGpt(target), lmStudio(target), mcpRemote(target)]
}

/** The server as a command that an app starts. mcp-remote expands the variable, so the process list shows no key. */
function bridge(target: Target, withKey: boolean) {
  const { url, variable } = target
  // No space after the colon: some apps do not quote arguments with spaces.
  const header = withKey ? ['--header', `x-api-key:\${${variable}}`] : []
  return {
    command: 'npx',
    args: ['-y', MCP_REMOTE, url, ...plainHttp(url), ...header],
    ...(withKey && { env: { [variable]: literalKey(target) } }),
  }
}

/** The option for plain http, which mcp-remote otherwise accepts only for these two names. */
function plainHttp(url: string): string[] {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !['localhost', '127.0.0.1'].includes(hostname) ? ['--allow-http'] : []
}

function bridgeFile(path: string, target: Target, withKey: boolean) {
  return {
    kind: 'file',
    path,
    format: 'json',
    content: json({ mcpServers: { [target.name]: bridge(target, withKey) } }),
  } as const
}

function claudeDesktop(target: Target): ClientConfiguration {
  const path = 'claude_desktop_config.json'
  const restart = 'Quit Claude Desktop and start it again.'
  return {
    id: 'claude-desktop',
    name: 'Claude Desktop and claude.ai',
    kind: 'app',
    key: {
      steps: [{ ...bridgeFile(path, target, true), afterwards: `${REPLACE_KEY} ${restart}` }],
    },
    signIn: {
      steps: target.reachableFromOutside
        ? [
            {
              kind: 'instruction',
              text: `**Customize → Connectors → Add custom connector**, with the URL \`${target.url}\`. Then **Connect**.`,
            },
            { ...bridgeFile(path, target, false), afterwards: restart },
          ]
        : [{ ...bridgeFile(path, target, false), afterwards: restart }],
    },
    notes: [
      '**Settings → Developer → Edit Config** opens the file. It is in `~/Library/Application Support/Claude` (macOS) or `%APPDATA%\\Claude` (Windows).',
      'A custom connector calls the gateway from the vendor’s servers: its URL must be https and reachable from the internet. It has no field for a key.',
      'mcp-remote runs on your machine and needs Node.js. It also reaches a gateway on localhost or in a private network.',
    ],
  }
}

function chatGpt(target: Target): ClientConfiguration {
  return {
    id: 'chatgpt',
    name: 'ChatGPT',
    kind: 'app',
    key: { unsupported: 'ChatGPT cannot send custom headers. Use sign-in.' },
    signIn: target.reachableFromOutside
      ? {
          steps: [
            {
              kind: 'instruction',
              text: `**Settings → Apps → Advanced → Developer mode**, then **Create app** with the URL \`${target.url}\` and OAuth.`,
            },
          ],
        }
      : {
          unsupported:
            'ChatGPT calls the gateway from its own servers: the URL must be https and reachable from the internet.',
        },
    notes: ['In a workspace, an admin must allow developer mode. The names of the menus differ between plans.'],
  }
}

function lmStudio(target: Target): ClientConfiguration {
  const { name, url } = target
  const path = '~/.lmstudio/mcp.json'
  const content = json({ mcpServers: { [name]: { url, headers: { 'x-api-key': literalKey(target) } } } })
  const link = `lmstudio://add_mcp?name=${encodeURIComponent(name)}&config=${base64Parameter(bridge({ ...target, secret: undefined }, false))}`
  return {
    id: 'lm-studio',
    name: 'LM Studio',
    kind: 'app',
    key: { steps: [{ kind: 'file', path, format: 'json', content, afterwards: REPLACE_KEY }] },
    signIn: { steps: [{ kind: 'deeplink', url: link }, bridgeFile(path, target, false)] },
    notes: [
      '**Program → Install → Edit mcp.json** opens the file.',
      'LM Studio documents no sign-in of its own, so these steps use mcp-remote, which needs Node.js.',
    ],
  }
}

function mcpRemote(target: Target): ClientConfiguration {
  const { url, variable } = target
  const run = ['npx', '-y', MCP_REMOTE, quoteForShell(url), ...plainHttp(url)].join(' ')
  return {
    id: 'mcp-remote',
    name: 'Other clients: mcp-remote',
    kind: 'app',
    key: {
      steps: [
        { ...bridgeFile('the configuration file of the client', target, true), afterwards: REPLACE_KEY },
        { kind: 'command', command: `${run} --header 'x-api-key:\${${variable}}'` },
      ],
    },
    signIn: {
      steps: [bridgeFile('the configuration file of the client', target, false), { kind: 'command', command: run }],
    },
    notes: [
      'For clients that only start commands (stdio), and for sign-in in clients without it. It needs Node.js.',
      'The quotes in the command are single: mcp-remote expands the variable, so the process list does not show the key.',
      'Plain http to a host other than `localhost` or `127.0.0.1` needs `--allow-http`. Use it only in a network that you trust.',
    ],
  }
}
