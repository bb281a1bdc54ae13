import type { ClientTemplate } from './client-configuration.ts'

/** A program with an SDK. `key` and `signIn` are the options in which its two forms differ, at `<option>`. */
interface Program {
  readonly id: string
  readonly name: string
  /** What installs it. `pip` installs packages of Python. */
  readonly install: string
  readonly key: string
  readonly signIn?: string
  readonly content: string
  readonly note: string
}

const PROVIDER =
  '`authProvider` is an `OAuthClientProvider` that your program implements: it stores tokens and opens the browser.'

const HEADERS = `headers: { Authorization: \`Bearer \${process.env.<variable>}\` }`
/** The option of the frameworks that take the transport of the TypeScript SDK. */
const TRANSPORT_HEADERS = `requestInit: { ${HEADERS} }`

const PROGRAMS: readonly Program[] = [
  {
    id: 'typescript-sdk-1',
    name: 'TypeScript SDK, version 1',
    install: 'npm install @modelcontextprotocol/sdk@1',
    key: TRANSPORT_HEADERS,
    content: `import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const url = new URL(<url:quoted>)
const client = new Client({ name: 'my-agent', version: '1.0.0' })
await client.connect(new StreamableHTTPClientTransport(url, { <option> }))
const { tools } = await client.listTools()`,
    note: PROVIDER,
  },
  {
    id: 'typescript-sdk-2',
    name: 'TypeScript SDK, version 2',
    install: 'npm install @modelcontextprotocol/client@2',
    key: TRANSPORT_HEADERS,
    content: `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const url = new URL(<url:quoted>)
const versionNegotiation = { mode: 'auto' }
const client = new Client({ name: 'my-agent', version: '1.0.0' }, { versionNegotiation })
await client.connect(new StreamableHTTPClientTransport(url, { <option> }))
const { tools } = await client.listTools()`,
    note: `The mode \`auto\` uses the stateless MCP version; \`{ pin: '2026-07-28' }\` uses nothing else. ${PROVIDER}`,
  },
  {
    id: 'python-sdk',
    name: 'Python SDK, version 2',
    install: "pip install 'mcp>=2'",
    key: 'headers={"Authorization": "Bearer " + os.environ["<variable>"]}',
    signIn: 'auth=provider',
    content: `import asyncio
import os

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def main():
    timeout = httpx2.Timeout(30, read=300)
    async with httpx2.AsyncClient(<option>, timeout=timeout) as http:
        async with Client(streamable_http_client(<url:quoted>, http_client=http)) as client:
            print(await client.list_tools())


asyncio.run(main())`,
    note: '`provider` is an `OAuthClientProvider` of `mcp.client.auth`. In version 1, pass `headers` or `auth` to `streamablehttp_client`.',
  },
  {
    id: 'ai-sdk',
    name: 'AI SDK',
    install: 'npm install @ai-sdk/mcp@2',
    key: HEADERS,
    content: `import { createMCPClient } from '@ai-sdk/mcp'

const client = await createMCPClient({
  transport: { type: 'http', url: <url:quoted>, <option> },
})
const tools = await client.tools()`,
    note: PROVIDER,
  },
  {
    id: 'openai-agents',
    name: 'OpenAI Agents SDK',
    install: 'npm install @openai/agents@0.20',
    key: TRANSPORT_HEADERS,
    content: `import { MCPServerStreamableHttp } from '@openai/agents'

const server = new MCPServerStreamableHttp({
  name: <name:quoted>,
  url: <url:quoted>,
  <option>,
})
await server.connect()
const tools = await server.listTools()`,
    note: `Pass the server to \`new Agent({ mcpServers: [server] })\`. ${PROVIDER}`,
  },
  {
    id: 'langchain',
    name: 'LangChain',
    install: 'npm install @langchain/mcp-adapters@1',
    key: HEADERS,
    content: `import { MultiServerMCPClient } from '@langchain/mcp-adapters'

const client = new MultiServerMCPClient({
  mcpServers: {
    <name:quoted>: { transport: 'http', url: <url:quoted>, <option> },
  },
})
const tools = await client.getTools()`,
    note: PROVIDER,
  },
  {
    id: 'mastra',
    name: 'Mastra',
    install: 'npm install @mastra/mcp@2',
    key: TRANSPORT_HEADERS,
    content: `import { MCPClient } from '@mastra/mcp'

const client = new MCPClient({
  servers: {
    <name:quoted>: { url: new URL(<url:quoted>), <option> },
  },
})
const tools = await client.listTools()`,
    note: PROVIDER,
  },
  {
    id: 'strands',
    name: 'Strands Agents',
    install: 'npm install @strands-agents/sdk@1',
    key: HEADERS,
    content: `import { McpClient } from '@strands-agents/sdk'

const client = new McpClient({ url: <url:quoted>, <option> })
await client.connect()
const tools = await client.listTools()`,
    note: `Pass the tools to \`new Agent({ tools: [client] })\`. ${PROVIDER}`,
  },
]

/**
 * The official SDKs, and agent frameworks with an MCP client. Without a version, npm installs an old one, with another
 * interface, if the newest does not support the user's Node.js.
 */
export const SDKS: readonly ClientTemplate[] = PROGRAMS.map(
  ({ id, name, install, key, signIn = 'authProvider', content, note }) => {
    const form = (option: string) => {
      const program = content.replace('<option>', () => option)
      return [install.startsWith('pip ') ? { python: install, content: program } : { js: install, content: program }]
    }
    return { id, name, kind: 'sdk', key: form(key), signIn: form(signIn), notes: [note] }
  },
)
