import { quoteForShell } from '../../lib/command-line.ts'
import { type ClientConfiguration, headerWord, keyOr, type Target } from './client-configuration.ts'
import { json, quoted } from './encodings.ts'

/** Claude Code, Codex and Gemini CLI: coding agents of the terminal. */
export function agentClients(target: Target): ClientConfiguration[] {
  return [claudeCode(target), codex(target), geminiCli(target)]
}

function claudeCode(target: Target): ClientConfiguration {
  const { url, identifier } = target
  // The options come last: --header takes every word after it.
  const add = `claude mcp add --transport http ${identifier} ${quoteForShell(url)}`
  const file = (server: object) =>
    ({
      kind: 'file',
      path: '.mcp.json',
      format: 'json',
      content: json({ mcpServers: { [identifier]: server } }),
    }) as const
  // With x-api-key, Claude Code looks for a sign-in after a 401, and does not show why the key was rejected.
  const headers = { Authorization: `Bearer ${keyOr(target, `\${${target.variable}}`)}` }
  return {
    id: 'claude-code',
    name: 'Claude Code',
    kind: 'app',
    key: {
      steps: [
        { kind: 'command', command: `${add} --header ${headerWord(target, 'Authorization: Bearer ')}` },
        {
          ...file({ type: 'http', url, headers }),
          afterwards: 'Start Claude Code in that folder and approve the server.',
        },
      ],
    },
    signIn: {
      steps: [
        {
          kind: 'command',
          command: add,
          afterwards: 'In Claude Code, open `/mcp`, choose the server and **Authenticate**.',
        },
        file({ type: 'http', url }),
      ],
    },
    notes: [
      '`claude mcp add` adds the server for one project; `--scope user` adds it for all of yours.',
      'The shell expands the variable in the command, so the key is saved in `~/.claude.json`. `.mcp.json` keeps the reference and can be shared.',
      'For a rejected key, Claude Code shows what the gateway says only if it was sent as `Authorization`, not as `x-api-key`.',
    ],
  }
}

function codex(target: Target): ClientConfiguration {
  const { url, identifier, variable, secret } = target
  const file = (...lines: string[]) =>
    ({
      kind: 'file',
      path: '~/.codex/config.toml',
      format: 'toml',
      content: [`[mcp_servers.${identifier}]`, `url = ${quoted(url)}`, ...lines].join('\n'),
    }) as const
  const add = `codex mcp add ${identifier} --url ${quoteForShell(url)}`
  const headers =
    secret === undefined
      ? `env_http_headers = { "x-api-key" = ${quoted(variable)} }`
      : `http_headers = { "x-api-key" = ${quoted(secret)} }`
  return {
    id: 'codex',
    name: 'Codex',
    kind: 'app',
    key: {
      steps:
        secret === undefined
          ? [{ kind: 'command', command: `${add} --bearer-token-env-var ${variable}` }, file(headers)]
          : [file(headers)],
    },
    signIn: {
      steps: [
        { kind: 'command', command: `${add}\ncodex mcp login ${identifier}` },
        { ...file(), afterwards: `Run \`codex mcp login ${identifier}\`.` },
      ],
    },
    notes: [
      'The command line, the IDE extension and the desktop app read the same file. Set the variable where they start.',
      'The field is `env_http_headers` (or `http_headers` for a literal value). Codex ignores `headers` without a message.',
    ],
  }
}

function geminiCli(target: Target): ClientConfiguration {
  const { url } = target
  // Gemini CLI derives names of tools from it, and splits them at underscores.
  const name = target.identifier.replaceAll('_', '-')
  const add = 'gemini mcp add --scope user --transport http'
  const file = (headers?: object) =>
    ({
      kind: 'file',
      path: '~/.gemini/settings.json',
      format: 'json',
      content: json({ mcpServers: { [name]: { httpUrl: url, ...(headers && { headers }) } } }),
    }) as const
  return {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    kind: 'app',
    key: {
      steps: [
        { kind: 'command', command: `${add} --header ${headerWord(target)} ${name} ${quoteForShell(url)}` },
        file({ 'x-api-key': keyOr(target, `$${target.variable}`) }),
      ],
    },
    signIn: {
      steps: [
        {
          kind: 'command',
          command: `${add} ${name} ${quoteForShell(url)}`,
          afterwards: `In Gemini CLI, run \`/mcp auth ${name}\`.`,
        },
        file(),
      ],
    },
    notes: [
      'The field is `httpUrl`. With `url`, Gemini CLI tries the old HTTP+SSE transport, which the gateway does not have.',
      'Antigravity CLI takes the same options: `agy mcp add …`.',
    ],
  }
}
