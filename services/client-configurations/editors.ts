import { quoteForShell } from '../../lib/command-line.ts'
import {
  type ClientConfiguration,
  headerWord,
  keyOr,
  literalKey,
  REPLACE_KEY,
  type Target,
} from './client-configuration.ts'
import { base64Parameter, json, jsonQuery, quoted } from './encodings.ts'

/** Cursor, VS Code, Windsurf, Zed, Cline and Continue: editors and their extensions. */
export function editorClients(target: Target): ClientConfiguration[] {
  return [cursor(target), vsCode(target), windsurf(target), zed(target), cline(target), continueDev(target)]
}

/** A JSON file with the server under its name in `section`. */
function jsonFile(path: string, section: string, name: string, server: object) {
  return { kind: 'file', path, format: 'json', content: json({ [section]: { [name]: server } }) } as const
}

function cursor(target: Target): ClientConfiguration {
  const { url, name } = target
  const reference = `\${env:${target.variable}}`
  const file = (server: object) => jsonFile('~/.cursor/mcp.json', 'mcpServers', name, server)
  const link = (server: object) =>
    ({
      kind: 'deeplink',
      url: `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}&config=${base64Parameter(server)}`,
    }) as const
  return {
    id: 'cursor',
    name: 'Cursor',
    kind: 'app',
    key: {
      steps: [
        link({ url, headers: { 'x-api-key': reference } }),
        file({ url, headers: { 'x-api-key': keyOr(target, reference) } }),
      ],
    },
    signIn: {
      steps: [
        link({ url }),
        { ...file({ url }), afterwards: 'In Settings → MCP, choose **Connect** next to the server.' },
      ],
    },
    notes: [
      '`.cursor/mcp.json` in a project has the same form. Start Cursor from an environment that has the variable.',
    ],
  }
}

function vsCode(target: Target): ClientConfiguration {
  const { url } = target
  // VS Code recommends camel case for the names of servers.
  const name = target.identifier.replaceAll(/[-_]+(.)/g, (_, letter: string) => letter.toUpperCase())
  const id = 'cgw-key'
  const inputs = [{ type: 'promptString', id, description: 'API key of the gateway', password: true }]
  const server = { type: 'http', url }
  const withKey = { ...server, headers: { 'x-api-key': `\${input:${id}}` } }
  const file = (content: object) =>
    ({ kind: 'file', path: '.vscode/mcp.json', format: 'json', content: json(content) }) as const
  const link = (config: object) => ({ kind: 'deeplink', url: `vscode:mcp/install?${jsonQuery(config)}` }) as const
  return {
    id: 'vs-code',
    name: 'VS Code',
    kind: 'app',
    key: { steps: [link({ name, ...withKey, inputs }), file({ inputs, servers: { [name]: withKey } })] },
    signIn: {
      steps: [
        link({ name, ...server }),
        { kind: 'command', command: `code --add-mcp ${quoteForShell(JSON.stringify({ name, ...server }))}` },
        file({ servers: { [name]: server } }),
      ],
    },
    notes: [
      'VS Code asks for the key once and stores it encrypted. The file can be shared with a team.',
      'For all workspaces, put the same content into the file that **MCP: Open User Configuration** opens.',
    ],
  }
}

function windsurf(target: Target): ClientConfiguration {
  const { url, name, identifier, variable } = target
  const file = (server: object) => jsonFile('~/.codeium/windsurf/mcp_config.json', 'mcpServers', name, server)
  return {
    id: 'windsurf',
    name: 'Windsurf (Devin Desktop)',
    kind: 'app',
    key: {
      steps: [
        file({ serverUrl: url, headers: { 'x-api-key': keyOr(target, `\${env:${variable}}`) } }),
        {
          kind: 'command',
          command: `devin mcp add -s user -H ${headerWord(target)} ${identifier} ${quoteForShell(url)}`,
        },
      ],
    },
    signIn: {
      steps: [
        file({ serverUrl: url }),
        {
          kind: 'command',
          command: `devin mcp add -s user ${identifier} ${quoteForShell(url)}\ndevin mcp login ${identifier}`,
        },
      ],
    },
    notes: ['The field is `serverUrl`. The command is for Devin CLI, which has its own configuration file.'],
  }
}

function zed(target: Target): ClientConfiguration {
  const { url, name } = target
  const file = (server: object) => jsonFile('~/.config/zed/settings.json', 'context_servers', name, server)
  return {
    id: 'zed',
    name: 'Zed',
    kind: 'app',
    key: { steps: [{ ...file({ url, headers: { 'x-api-key': literalKey(target) } }), afterwards: REPLACE_KEY }] },
    signIn: { steps: [file({ url })] },
    notes: ['Without a header, Zed signs in with the browser. The action `zed: open settings file` opens the file.'],
  }
}

function cline(target: Target): ClientConfiguration {
  const { name, url } = target
  const server = { type: 'streamableHttp', url }
  const file = (content: object) => jsonFile('cline_mcp_settings.json', 'mcpServers', name, content)
  return {
    id: 'cline',
    name: 'Cline',
    kind: 'app',
    key: { steps: [{ ...file({ ...server, headers: { 'x-api-key': literalKey(target) } }), afterwards: REPLACE_KEY }] },
    signIn: { steps: [{ ...file(server), afterwards: 'Choose **Authenticate** next to the server.' }] },
    notes: [
      'The MCP Servers icon, **Configure**, **Configure MCP Servers** opens the file.',
      'Without `type`, Cline tries the old HTTP+SSE transport, which the gateway does not have.',
    ],
  }
}

function continueDev(target: Target): ClientConfiguration {
  const file = (...lines: string[]) =>
    ({
      kind: 'file',
      path: '.continue/mcpServers/connector-gateway.yaml',
      format: 'yaml',
      content: [
        'name: Connector gateway',
        'version: 0.0.1',
        'schema: v1',
        'mcpServers:',
        `  - name: ${quoted(target.name)}`,
        '    type: streamable-http',
        `    url: ${quoted(target.url)}`,
        ...lines,
      ].join('\n'),
    }) as const
  const key = quoted(keyOr(target, `\${{ secrets.${target.variable} }}`))
  return {
    id: 'continue',
    name: 'Continue',
    kind: 'app',
    key: { steps: [file('    requestOptions:', '      headers:', `        x-api-key: ${key}`)] },
    signIn: { steps: [{ ...file(), afterwards: 'Choose **Authenticate** next to the server in the list of tools.' }] },
    notes: [
      `Continue reads secrets from \`~/.continue/.env\` and from \`.env\` of the workspace: a line \`${target.variable}=…\`.`,
      'MCP tools are available in agent mode.',
    ],
  }
}
