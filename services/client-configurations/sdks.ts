import type { ClientConfiguration, ConnectionForm, Target } from './client-configuration.ts'
import { quoted } from './encodings.ts'

/** The snippet of one SDK. `key` and `signIn` are the options in which its two forms differ. */
interface Snippet {
  readonly id: string
  readonly name: string
  readonly language: 'js' | 'python'
  readonly install: string
  readonly key: string
  readonly signIn: string
  content(option: string): string
  readonly note: string
}

/**
 * The official SDKs, and agent frameworks with an MCP client. Without a version, npm installs an old one, with another
 * interface, if the newest does not support the user's Node.js.
 */
export function sdkClients(target: Target): ClientConfiguration[] {
  return [...officialSdks(target), ...frameworks(target)].map(
    ({ id, name, language, install, key, signIn, content, note }) => {
      const form = (option: string): ConnectionForm => ({
        steps: [{ kind: 'code', language, install, content: content(option) }],
      })
      return { id, name, kind: 'sdk', key: form(key), signIn: form(signIn), notes: [note] }
    },
  )
}

const PROVIDER =
  '`authProvider` is an `OAuthClientProvider` that your program implements: it stores tokens and opens the browser.'

/** The options of the frameworks that take the transport of the TypeScript SDK. */
function transportOptions({ variable }: Target) {
  return { key: `requestInit: { headers: { 'x-api-key': process.env.${variable} } }`, signIn: 'authProvider' }
}

function officialSdks(target: Target): Snippet[] {
  const url = quoted(target.url)
  return [
    {
      id: 'typescript-sdk-1',
      name: 'TypeScript SDK, version 1',
      language: 'js',
      install: 'npm install @modelcontextprotocol/sdk@1',
      ...transportOptions(target),
      content: option => `import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const url = new URL(${url})
const client = new Client({ name: 'my-agent', version: '1.0.0' })
await client.connect(new StreamableHTTPClientTransport(url, { ${option} }))
const { tools } = await client.listTools()`,
      note: PROVIDER,
    },
    {
      id: 'typescript-sdk-2',
      name: 'TypeScript SDK, version 2',
      language: 'js',
      install: 'npm install @modelcontextprotocol/client@2',
      ...transportOptions(target),
      content: option => `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const url = new URL(${url})
const versionNegotiation = { mode: 'auto' }
const client = new Client({ name: 'my-agent', version: '1.0.0' }, { versionNegotiation })
await client.connect(new StreamableHTTPClientTransport(url, { ${option} }))
const { tools } = await client.listTools()`,
      note: `The mode \`auto\` uses the stateless MCP version; \`{ pin: '2026-07-28' }\` uses nothing else. ${PROVIDER}`,
    },
    {
      id: 'python-sdk',
      name: 'Python SDK, version 2',
      language: 'python',
      install: "pip install 'mcp>=2'",
      key: `headers={"x-api-key": os.environ["${target.variable}"]}`,
      signIn: 'auth=provider',
      content: option => `import asyncio
import os

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def main():
    timeout = httpx2.Timeout(30, read=300)
    async with httpx2.AsyncClient(${option}, timeout=timeout) as http:
        async with Client(streamable_http_client(${url}, http_client=http)) as client:
            print(await client.list_tools())


asyncio.run(main())`,
      note: '`provider` is an `OAuthClientProvider` of `mcp.client.auth`. In version 1, pass `headers` or `auth` to `streamablehttp_client`.',
    },
  ]
}

function frameworks(target: Target): Snippet[] {
  const url = quoted(target.url)
  const name = quoted(target.name)
  const options = { key: `headers: { 'x-api-key': process.env.${target.variable} }`, signIn: 'authProvider' }
  return [
    {
      id: 'ai-sdk',
      name: 'AI SDK',
      language: 'js',
      install: 'npm install @ai-sdk/mcp@2',
      ...options,
      content: option => `import { createMCPClient } from '@ai-sdk/mcp'

const client = await createMCPClient({
  transport: { type: 'http', url: ${url}, ${option} },
})
const tools = await client.tools()`,
      note: PROVIDER,
    },
    {
      id: 'openai-agents',
      name: 'OpenAI Agents SDK',
      language: 'js',
      install: 'npm install @openai/agents@0.20',
      ...transportOptions(target),
      content: option => `import { MCPServerStreamableHttp } from '@openai/agents'

const server = new MCPServerStreamableHttp({
  name: ${name},
  url: ${url},
  ${option},
})
await server.connect()
const tools = await server.listTools()`,
      note: `Pass the server to \`new Agent({ mcpServers: [server] })\`. ${PROVIDER}`,
    },
    {
      id: 'langchain',
      name: 'LangChain',
      language: 'js',
      install: 'npm install @langchain/mcp-adapters@1',
      ...options,
      content: option => `import { MultiServerMCPClient } from '@langchain/mcp-adapters'

const client = new MultiServerMCPClient({
  mcpServers: {
    ${name}: { transport: 'http', url: ${url}, ${option} },
  },
})
const tools = await client.getTools()`,
      note: PROVIDER,
    },
    {
      id: 'mastra',
      name: 'Mastra',
      language: 'js',
      install: 'npm install @mastra/mcp@2',
      ...transportOptions(target),
      content: option => `import { MCPClient } from '@mastra/mcp'

const client = new MCPClient({
  servers: {
    ${name}: { url: new URL(${url}), ${option} },
  },
})
const tools = await client.listTools()`,
      note: PROVIDER,
    },
    {
      id: 'strands',
      name: 'Strands Agents',
      language: 'js',
      install: 'npm install @strands-agents/sdk@1',
      ...options,
      content: option => `import { McpClient } from '@strands-agents/sdk'

const client = new McpClient({ url: ${url}, ${option} })
await client.connect()
const tools = await client.listTools()`,
      note: `Pass the tools to \`new Agent({ tools: [client] })\`. ${PROVIDER}`,
    },
  ]
}
