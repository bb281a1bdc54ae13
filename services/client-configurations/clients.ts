import type { ClientTemplate, StepTemplate } from './client-configuration.ts'
import { SDKS } from './sdks.ts'

/** A file with the server under its name in `section`. */
function jsonFile(path: string, section: string, server: object, name = '<name>') {
  return { json: path, content: { [section]: { [name]: server } } }
}

const headers = { Authorization: '<bearer>' }
const REPLACE_KEY = 'Replace `YOUR_KEY`: this file does not expand environment variables.'

/** Pinned: the command runs with the user's rights, and an update should be a decision. */
const MCP_REMOTE = 'mcp-remote@0.15.1'
/** Has no space and so no `Bearer`, which the gateway does not need: some apps do not quote arguments with spaces. */
const BRIDGE_HEADER = `Authorization:\${<variable>}`
/** The server as a command that an app starts. mcp-remote expands the variable, so the process list shows no key. */
const bridge = { command: 'npx', args: ['-y', MCP_REMOTE, '<url>', '<allow-http>'] }
const bridgeWithKey = {
  command: 'npx',
  args: [...bridge.args, '--header', BRIDGE_HEADER],
  env: { '<variable>': '<key>' },
}
const RUN_BRIDGE = `npx -y ${MCP_REMOTE} <url:shell><allow-http:word>`
const BRIDGE_FILE = 'the configuration file of the client'
const DESKTOP_FILE = 'claude_desktop_config.json'
const RESTART_DESKTOP = 'Quit Claude Desktop and start it again.'
const desktopSignIn: StepTemplate = { ...jsonFile(DESKTOP_FILE, 'mcpServers', bridge), afterwards: RESTART_DESKTOP }

const CURSOR_LINK = 'cursor://anysphere.cursor-deeplink/mcp/install?name=<name:uri>&config=<config:base64>'

const vsCode = { type: 'http', url: '<url>' }
const vsCodeWithKey = { ...vsCode, headers: { Authorization: `Bearer \${input:cgw-key}` } }
const vsCodeInputs = [{ type: 'promptString', id: 'cgw-key', description: 'API key of the gateway', password: true }]

const CONTINUE_FILE = `name: Connector gateway
version: 0.0.1
schema: v1
mcpServers:
  - name: <name:quoted>
    type: streamable-http
    url: <url:quoted>`

/** Coding agents of the terminal, editors and their extensions, and other apps. */
const APPS: readonly Omit<ClientTemplate, 'kind'>[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    reference: `\${<variable>}`,
    key: [
      // The options come last: --header takes every word after it.
      { command: 'claude mcp add --transport http <identifier> <url:shell> --header <header>' },
      {
        ...jsonFile('.mcp.json', 'mcpServers', { type: 'http', url: '<url>', headers }, '<identifier>'),
        afterwards: 'Start Claude Code in that folder and approve the server.',
      },
    ],
    signIn: [
      {
        command: 'claude mcp add --transport http <identifier> <url:shell>',
        afterwards: 'In Claude Code, open `/mcp`, choose the server and **Authenticate**.',
      },
      jsonFile('.mcp.json', 'mcpServers', { type: 'http', url: '<url>' }, '<identifier>'),
    ],
    notes: [
      '`claude mcp add` adds the server for one project; `--scope user` adds it for all of yours.',
      'The shell expands the variable in the command, so the key is saved in `~/.claude.json`. `.mcp.json` keeps the reference and can be shared.',
      'If a key is rejected, Claude Code shows the gateway’s message only for a key in `Authorization`, not in `x-api-key`.',
    ],
  },
  {
    id: 'codex',
    name: 'Codex',
    key: {
      if: 'secret',
      use: [
        {
          toml: '~/.codex/config.toml',
          content: '[mcp_servers.<identifier>]\nurl = <url:quoted>\nhttp_headers = { Authorization = <bearer:quoted> }',
        },
      ],
      otherwise: [
        { command: 'codex mcp add <identifier> --url <url:shell> --bearer-token-env-var <variable>' },
        {
          toml: '~/.codex/config.toml',
          content: '[mcp_servers.<identifier>]\nurl = <url:quoted>\nbearer_token_env_var = <variable:quoted>',
        },
      ],
    },
    signIn: [
      { command: 'codex mcp add <identifier> --url <url:shell>\ncodex mcp login <identifier>' },
      {
        toml: '~/.codex/config.toml',
        content: '[mcp_servers.<identifier>]\nurl = <url:quoted>',
        afterwards: 'Run `codex mcp login <identifier>`.',
      },
    ],
    notes: [
      'The command line, the IDE extension and the desktop app read the same file. Set the variable in the environment that starts them.',
      'The field is `bearer_token_env_var` (or `http_headers` for a literal value). Codex ignores `headers` without a message.',
    ],
  },
  {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    reference: '$<variable>',
    key: [
      { command: 'gemini mcp add --scope user --transport http --header <header> <dashed> <url:shell>' },
      jsonFile('~/.gemini/settings.json', 'mcpServers', { httpUrl: '<url>', headers }, '<dashed>'),
    ],
    signIn: [
      {
        command: 'gemini mcp add --scope user --transport http <dashed> <url:shell>',
        afterwards: 'In Gemini CLI, run `/mcp auth <dashed>`.',
      },
      jsonFile('~/.gemini/settings.json', 'mcpServers', { httpUrl: '<url>' }, '<dashed>'),
    ],
    notes: [
      'The field is `httpUrl`. With `url`, Gemini CLI tries the old HTTP+SSE transport, which the gateway does not support.',
      'Antigravity CLI takes the same options: `agy mcp add …`.',
    ],
  },
  {
    id: 'cursor',
    name: 'Cursor',
    reference: `\${env:<variable>}`,
    key: [
      { deeplink: CURSOR_LINK, config: { url: '<url>', headers: { Authorization: 'Bearer <reference>' } } },
      jsonFile('~/.cursor/mcp.json', 'mcpServers', { url: '<url>', headers }),
    ],
    signIn: [
      { deeplink: CURSOR_LINK, config: { url: '<url>' } },
      {
        ...jsonFile('~/.cursor/mcp.json', 'mcpServers', { url: '<url>' }),
        afterwards: 'In Settings → MCP, choose **Connect** next to the server.',
      },
    ],
    notes: [
      '`.cursor/mcp.json` in a project has the same form. Start Cursor from an environment that contains the variable.',
    ],
  },
  {
    id: 'vs-code',
    name: 'VS Code',
    // VS Code recommends camel case for the names of servers.
    key: [
      {
        deeplink: 'vscode:mcp/install?<config:uri>',
        config: { name: '<camel>', ...vsCodeWithKey, inputs: vsCodeInputs },
      },
      { json: '.vscode/mcp.json', content: { inputs: vsCodeInputs, servers: { '<camel>': vsCodeWithKey } } },
    ],
    signIn: [
      { deeplink: 'vscode:mcp/install?<config:uri>', config: { name: '<camel>', ...vsCode } },
      { command: 'code --add-mcp <config:shell>', config: { name: '<camel>', ...vsCode } },
      jsonFile('.vscode/mcp.json', 'servers', vsCode, '<camel>'),
    ],
    notes: [
      'VS Code asks for the key once and stores it encrypted. The file can be shared with a team.',
      'For all workspaces, put the same content into the file that **MCP: Open User Configuration** opens.',
    ],
  },
  {
    id: 'windsurf',
    name: 'Windsurf (Devin Desktop)',
    reference: `\${env:<variable>}`,
    key: [
      jsonFile('~/.codeium/windsurf/mcp_config.json', 'mcpServers', { serverUrl: '<url>', headers }),
      { command: 'devin mcp add -s user -H <header> <identifier> <url:shell>' },
    ],
    signIn: [
      jsonFile('~/.codeium/windsurf/mcp_config.json', 'mcpServers', { serverUrl: '<url>' }),
      { command: 'devin mcp add -s user <identifier> <url:shell>\ndevin mcp login <identifier>' },
    ],
    notes: ['The field is `serverUrl`. The command is for Devin CLI, which has its own configuration file.'],
  },
  {
    id: 'zed',
    name: 'Zed',
    key: [
      {
        ...jsonFile('~/.config/zed/settings.json', 'context_servers', { url: '<url>', headers }),
        afterwards: REPLACE_KEY,
      },
    ],
    signIn: [jsonFile('~/.config/zed/settings.json', 'context_servers', { url: '<url>' })],
    notes: ['Without a header, Zed signs in with the browser. The action `zed: open settings file` opens the file.'],
  },
  {
    id: 'cline',
    name: 'Cline',
    key: [
      {
        ...jsonFile('cline_mcp_settings.json', 'mcpServers', { type: 'streamableHttp', url: '<url>', headers }),
        afterwards: REPLACE_KEY,
      },
    ],
    signIn: [
      {
        ...jsonFile('cline_mcp_settings.json', 'mcpServers', { type: 'streamableHttp', url: '<url>' }),
        afterwards: 'Choose **Authenticate** next to the server.',
      },
    ],
    notes: [
      'The MCP Servers icon, **Configure**, **Configure MCP Servers** opens the file.',
      'Without `type`, Cline tries the old HTTP+SSE transport, which the gateway does not support.',
    ],
  },
  {
    id: 'continue',
    name: 'Continue',
    reference: `\${{ secrets.<variable> }}`,
    key: [
      {
        yaml: '.continue/mcpServers/connector-gateway.yaml',
        content: `${CONTINUE_FILE}\n    requestOptions:\n      headers:\n        Authorization: <bearer:quoted>`,
      },
    ],
    signIn: [
      {
        yaml: '.continue/mcpServers/connector-gateway.yaml',
        content: CONTINUE_FILE,
        afterwards: 'Choose **Authenticate** next to the server in the list of tools.',
      },
    ],
    notes: [
      'Continue reads secrets from `~/.continue/.env` and from `.env` of the workspace: a line `<variable>=…`.',
      'MCP tools are available in agent mode.',
    ],
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop and claude.ai',
    key: [{ ...jsonFile(DESKTOP_FILE, 'mcpServers', bridgeWithKey), afterwards: `${REPLACE_KEY} ${RESTART_DESKTOP}` }],
    signIn: {
      if: 'reachable',
      use: [
        {
          instruction: '**Customize → Connectors → Add custom connector**, with the URL `<url>`. Then **Connect**.',
        },
        desktopSignIn,
      ],
      otherwise: [desktopSignIn],
    },
    notes: [
      '**Settings → Developer → Edit Config** opens the file. It is in `~/Library/Application Support/Claude` (macOS) or `%APPDATA%\\Claude` (Windows).',
      'A custom connector calls the gateway from the vendor’s servers: its URL must be https and reachable from the internet. It has no field for a key.',
      'mcp-remote runs on your machine and needs Node.js. It also reaches a gateway on localhost or in a private network.',
    ],
  },
  {
    id: 'chatgpt',
    name: 'ChatGPT',
    key: 'ChatGPT cannot send custom headers. Use sign-in.',
    signIn: {
      if: 'reachable',
      use: [
        {
          instruction:
            '**Settings → Apps → Advanced → Developer mode**, then **Create app** with the URL `<url>` and OAuth.',
        },
      ],
      otherwise:
        'ChatGPT calls the gateway from its own servers: the URL must be https and reachable from the internet.',
    },
    notes: ['In a workspace, an admin must allow developer mode. The names of the menus differ between plans.'],
  },
  {
    id: 'lm-studio',
    name: 'LM Studio',
    key: [{ ...jsonFile('~/.lmstudio/mcp.json', 'mcpServers', { url: '<url>', headers }), afterwards: REPLACE_KEY }],
    signIn: [
      { deeplink: 'lmstudio://add_mcp?name=<name:uri>&config=<config:base64>', config: bridge },
      jsonFile('~/.lmstudio/mcp.json', 'mcpServers', bridge),
    ],
    notes: [
      '**Program → Install → Edit mcp.json** opens the file.',
      'LM Studio documents no sign-in of its own, so these steps use mcp-remote, which needs Node.js.',
    ],
  },
  {
    id: 'mcp-remote',
    name: 'Other clients: mcp-remote',
    key: [
      { ...jsonFile(BRIDGE_FILE, 'mcpServers', bridgeWithKey), afterwards: REPLACE_KEY },
      { command: `${RUN_BRIDGE} --header '${BRIDGE_HEADER}'` },
    ],
    signIn: [jsonFile(BRIDGE_FILE, 'mcpServers', bridge), { command: RUN_BRIDGE }],
    notes: [
      'For clients that only start commands (stdio), and for clients that cannot sign in themselves. mcp-remote needs Node.js.',
      'The quotes in the command are single: mcp-remote expands the variable, so the process list does not show the key.',
      'Where the gateway offers sign-in, mcp-remote opens the browser if a key is rejected, and does not show the gateway’s message. `curl` with the same key does.',
      'Plain http to a host other than `localhost` or `127.0.0.1` needs `--allow-http`. Use it only in a network that you trust.',
    ],
  },
]

const INSPECT = 'npx -y @modelcontextprotocol/inspector@2 --cli <url:shell> --transport http'
const MCPORTER = 'npx -y mcporter@0.12 --log-level info list --http-url <url:shell><allow-any-http:word>'

/** Commands that list and call tools without a model, to try a gateway or to use it in a script. */
const COMMANDS: readonly Omit<ClientTemplate, 'kind'>[] = [
  {
    id: 'inspector',
    name: 'MCP Inspector',
    key: [{ command: `${INSPECT} --header <header> --stored-auth-only --method tools/list` }],
    signIn: [{ command: `${INSPECT} --method tools/list` }],
    notes: [
      'To call a tool: `--method tools/call --tool-name memory__remember --tool-arg memory="The demo is on Friday"`.',
      'With `--stored-auth-only`, a rejected key is shown as such, and no browser opens. Without `--cli`, the Inspector opens in the browser.',
    ],
  },
  {
    id: 'mcporter',
    name: 'mcporter',
    key: [{ command: `${MCPORTER} --no-oauth --header <header-assignment>` }],
    signIn: [{ command: MCPORTER }],
    notes: [
      'To call a tool, write `call` for `list`, and the tool with its arguments at the end: `memory__remember memory="The demo is on Friday"`.',
      '`--log-level info` shows why the gateway rejected a request, behind `Streamable HTTP error`. With a key, the `mcporter auth` that it then suggests does not help.',
    ],
  },
  {
    id: 'curl',
    name: 'curl',
    key: [
      {
        command: String.raw`curl <url:shell> -H <header> -H 'content-type: application/json' \
  -H 'accept: application/json, text/event-stream' -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
      },
    ],
    signIn:
      'curl cannot open a browser. Send a key, or a token that you already have: `-H "authorization: Bearer $TOKEN"`.',
    notes: [],
  },
]

/** All clients, in the order in which people use them. */
export const CLIENTS: readonly ClientTemplate[] = [
  ...APPS.map(app => ({ ...app, kind: 'app' as const })),
  ...SDKS,
  ...COMMANDS.map(command => ({ ...command, kind: 'command' as const })),
]
