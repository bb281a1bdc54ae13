import { GatewayError } from '../../../lib/errors/errors.ts'
import { sanitizeLine } from '../../../lib/sanitize-text.ts'
import type { IssuedCredential } from '../../credentials/credential.ts'
import type { OauthClient } from '../../credentials/oauth-clients.ts'
import type { ConnectorDefinition } from '../../definitions/define-connector.ts'
import type { ProviderCaller } from '../engine/provider-caller.ts'
import { isPlain, requireValidSettings } from './check-settings.ts'
import { connectFailed } from './connect-errors.ts'

/** How an account is named: for people, and what tells it from others. */
export interface AccountIdentity {
  readonly label: string
  readonly key: string
}

/** A credential whose provider is to be asked. */
export interface IdentifyRequest {
  connector: ConnectorDefinition
  issued: IssuedCredential
  /** The settings that are known so far. */
  settings: Readonly<Record<string, string>>
  /** The OAuth app; needed where requests are signed with it. */
  client: OauthClient | undefined
}

/** Whose a credential is, as far as is known. */
export interface IdentifiedAccount {
  /** The settings that were known, and what was found out. */
  settings: Readonly<Record<string, string>>
  identity: AccountIdentity
}

/** Characters of what an account is called, of what tells it from others, and of a scope, at most. */
const MAX_LABEL = 200
const MAX_KEY = 512
const MAX_SCOPE = 512
const MAX_SCOPES = 500

const NOTHING_DONE = 'Nothing was connected; tell who runs this gateway.'

/** Asks the provider who a credential is of, and what its connector must know beside. Throws connect_failed. */
export type IdentifyAccount = (request: IdentifyRequest) => Promise<IdentifiedAccount>

export function createIdentifyAccount(provider: Pick<ProviderCaller, 'identify' | 'discover'>): IdentifyAccount {
  return ({ connector, issued, settings: given, client }) =>
    connectFailed(connector, async () => {
      const { credential, kept, grantedScopes } = issued
      if (grantedScopes !== null && !areScopes(grantedScopes))
        throw new GatewayError('connect_failed', `${connector.name} granted what cannot be a scope. ${NOTHING_DONE}`)
      const said = { ...given, ...requireValidSettings(connector, kept ?? {}) }
      const found = await provider.discover({ connector, credential, settings: said, client })
      const settings = { ...said, ...requireValidSettings(connector, found) }
      const identity = await provider.identify({ connector, credential, settings, client })
      return { settings, identity: requireNamed(connector, identity) }
    })
}

/** A label as it is kept and shown: one clean line; undefined for one that shows nothing of whose the account is. */
export function labelOf(text: string): string | undefined {
  const label = sanitizeLine(text, MAX_LABEL)
  return /[\p{L}\p{N}\p{S}]/u.test(label) ? label : undefined
}

/** An identity that can be kept and shown; throws connect_failed for what cannot. */
function requireNamed({ name }: ConnectorDefinition, { label: text, key }: AccountIdentity): AccountIdentity {
  const label = labelOf(text)
  if (label === undefined || !isPlain(key, MAX_KEY))
    throw new GatewayError(
      'connect_failed',
      `${name} answered with nothing that this account could be told from others by. ${NOTHING_DONE}`,
    )
  return { label, key }
}

function areScopes(scopes: readonly string[]): boolean {
  return scopes.length <= MAX_SCOPES && scopes.every(scope => isPlain(scope, MAX_SCOPE))
}
