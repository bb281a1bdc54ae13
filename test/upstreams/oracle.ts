import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Test } from 'tap'

/** A server as the official client of a protocol generation sees it. */
export interface Oracle {
  listTools(): Promise<unknown[]>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>
}

const WHO = { name: 'oracle', version: '1' }

/** The v1 SDK's client, which supports only the legacy revisions; closed with the test. */
export async function legacyOracle(t: Test, url: string, headers: Record<string, string> = {}): Promise<Oracle> {
  const client = new Client(WHO)
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as never)
  t.teardown(() => client.close())
  return {
    listTools: () => everyPage(cursor => client.listTools(cursor === undefined ? {} : { cursor })),
    callTool: async call => ({ ...(await client.callTool(call)) }),
  }
}

/** The v2 SDK's client; closed with the test. */
export async function modernOracle(
  t: Test,
  url: string,
  { headers = {}, mode = 'auto' }: { headers?: Record<string, string>; mode?: VersionNegotiationOptions['mode'] } = {},
): Promise<Oracle> {
  const client = new ModernClient(WHO, { versionNegotiation: { mode } })
  await client.connect(new ModernTransport(new URL(url), { requestInit: { headers } }))
  t.teardown(() => client.close())
  return {
    listTools: () => everyPage(cursor => client.listTools(cursor === undefined ? {} : { cursor })),
    callTool: async call => ({ ...(await client.callTool(call)) }),
  }
}

async function everyPage(
  page: (cursor: string | undefined) => Promise<{ tools: unknown[]; nextCursor?: string | undefined }>,
): Promise<unknown[]> {
  const tools: unknown[] = []
  let cursor: string | undefined
  do {
    const answer = await page(cursor)
    tools.push(...answer.tools)
    cursor = answer.nextCursor
  } while (cursor !== undefined)
  return tools
}

/** A result without the members that a protocol revision adds, so that results can be compared. */
export function comparable(result: object): Record<string, unknown> {
  const { resultType: _type, _meta, ...rest } = result as { resultType?: string; _meta?: Record<string, unknown> }
  const { 'io.modelcontextprotocol/serverInfo': _server, ...meta } = _meta ?? {}
  return { ...rest, ...(Object.keys(meta).length > 0 && { _meta: meta }) }
}
