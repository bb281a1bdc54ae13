import { randomBytes } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import type { Test } from 'tap'
import type { ProvidedCredential } from '../../services/connectors/connect/connect-methods.ts'
import type { ConnectorAuth, ConnectorDefinition } from '../../services/definitions/connector-types.ts'
import { defineConnector } from '../../services/definitions/define-connector.ts'
import { file, httpTool, pick } from '../../services/definitions/http-tool.ts'
import { adds, reads } from '../../services/definitions/tool.ts'
import { upstream } from '../fixtures/egress-fixture.ts'

/** A provider whose accounts are identified by a text. */
export interface Provider {
  readonly connectors: readonly ConnectorDefinition[]
  /** Creates a credential for a connector. Every answer to it contains this text. */
  credential(connector: ConnectorId, text: string): ProvidedCredential
}

export type ConnectorId = 'shelf' | 'ledger'

/** Two connectors on one server, each with its own kind of credential. */
export async function provider(t: Test): Promise<Provider> {
  const texts = new Map<string, string>()
  const { origin } = await upstream(t, ({ headers, url }, response) => {
    const text = texts.get(String(headers['x-key'] ?? headers.authorization?.replace('Bearer ', '')))
    if (url === '/file' && text !== undefined) return response.end(text)
    response.writeHead(text === undefined ? 401 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(text === undefined ? {} : { text, items: [{ text }] }))
  })
  const about = {
    category: 'business',
    icon: { monogram: 'P', color: '#333333' },
    baseUrl: origin,
    identity: { request: { url: '/me' }, label: '{/text}' },
  } as const

  const tools = [
    httpTool({
      operation: 'read',
      title: 'Read',
      description: 'Reads a thing.',
      annotations: reads,
      input: { number: Type.Optional(Type.Integer({ minimum: 1 })) },
      request: { method: 'GET', path: '/things', query: { number: '{number}' } },
      result: pick('', ['text']),
    }),
    httpTool({
      operation: 'list',
      title: 'List',
      description: 'Lists things.',
      annotations: reads,
      input: { limit: Type.Integer({ minimum: 1, default: 1 }), cursor: Type.Optional(Type.String()) },
      request: { method: 'GET', path: '/things', query: { size: '{limit}', page: '{cursor}' } },
      pagination: { style: 'page', items: '/items' },
      result: pick('/items', ['text']),
    }),
    httpTool({
      operation: 'write',
      title: 'Write',
      description: 'Writes a thing.',
      annotations: adds,
      input: { note: Type.String() },
      request: { method: 'POST', path: '/things', body: { json: { note: '{note}' } } },
      result: pick('', ['text']),
    }),
    httpTool({
      operation: 'download',
      title: 'Download',
      description: 'Stores a file.',
      annotations: reads,
      input: {},
      request: { method: 'GET', path: '/file' },
      result: file('file.txt'),
    }),
  ]
  const key: ConnectorAuth = { type: 'api_key', apiKey: { header: 'x-key', probe: false, hint: 'Any.' } }
  const oauth: ConnectorAuth = {
    type: 'oauth2',
    authorizationUrl: `${origin}/authorize`,
    tokenUrl: `${origin}/token`,
    pkce: 'required',
    clientAuth: 'basic',
    accessSummary: 'Everything.',
  }

  return {
    connectors: [
      defineConnector({ ...about, id: 'shelf', name: 'Shelf', description: 'Has things.', auth: key, tools }),
      defineConnector({
        ...about,
        id: 'ledger',
        name: 'Ledger',
        description: 'Has entries.',
        auth: oauth,
        tools: tools.slice(0, 1),
      }),
    ],
    credential(connector, text) {
      const secret = randomBytes(18).toString('base64url')
      texts.set(secret, text)
      return connector === 'shelf' ? { kind: 'api_key', key: secret } : { kind: 'oauth2', accessToken: secret }
    },
  }
}
