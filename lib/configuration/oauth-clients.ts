import { readFileSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import { errorCode } from '../database/error-code.ts'
import { parseByConnector } from './by-connector.ts'
import { ConfigurationError } from './configuration-error.ts'

/** An OAuth app of the service's own. */
export interface PlatformClient {
  readonly id: string
  /** A getter, so that settings that are printed do not show it. */
  readonly secret: string
}

const OauthClient = Type.Object(
  { client_id: Type.String({ pattern: '\\S' }), client_secret: Type.String({ pattern: '\\S' }) },
  { additionalProperties: false },
)

/** OAUTH_CLIENTS, or the file it names, by connector id; throws its ConfigurationError. */
export function parseOauthClients(text: string): ReadonlyMap<string, PlatformClient> {
  const clients = parseByConnector('OAUTH_CLIENTS', text.startsWith('{') ? text : readText(text), OauthClient)
  return new Map(
    [...clients].map(([connector, { client_id, client_secret }]) => {
      const client = {
        id: client_id,
        get secret() {
          return client_secret
        },
      }
      return [connector, client]
    }),
  )
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = errorCode(error) ?? 'unknown error'
    throw new ConfigurationError('OAUTH_CLIENTS', `must be JSON, or the path of a file that can be read (${code})`)
  }
}
