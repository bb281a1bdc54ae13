import { GatewayError } from '../../../lib/errors/errors.ts'
import { sanitizeLine } from '../../../lib/sanitize-text.ts'
import type { IssuedCredential } from '../../credentials/credential.ts'
import type { OauthClient } from '../../credentials/oauth-clients.ts'
import type { ConnectorDefinition } from '../../definitions/define-connector.ts'
import type { ProviderCaller } from '../engine/provider-caller.ts'
import { isPlainLine, requireValidSettings } from './check-settings.ts'
import { withConnectErrors } from './connect-errors.ts'

/** The identity of an account: a label for people, and a key that distinguishes it from other accounts. */
export interface AccountIdentity {
  readonly label: string
  readonly key: string
}

/** A credential whose account the provider must identify. */
interface IdentifyRequest {
  connector: ConnectorDefinition
  issued: IssuedCredential
  /** The settings known so far. */
  settings: Readonly<Record<string, string>>
  /** The OAuth app; required if it signs requests. */
  client: OauthClient | undefined
}

/** The identified account of a credential. */
export interface IdentifiedAccount {
  /** The known settings and the discovered ones. */
  settings: Readonly<Record<string, string>>
  identity: AccountIdentity
}

/** The maximum lengths of labels, keys and scopes, in characters, and the maximum number of scopes. */
const MAX_LABEL = 200
const MAX_KEY = 512
const MAX_SCOPE = 512
const MAX_SCOPES = 500

const NOTHING_DONE = 'Nothing was connected. Report this to the operator of this gateway.'

/** Asks the provider for the identity and the discovered settings of a credential. Throws connect_failed. */
export type IdentifyAccount = (request: IdentifyRequest) => Promise<IdentifiedAccount>

export function createIdentifyAccount(provider: Pick<ProviderCaller, 'identify' | 'discover'>): IdentifyAccount {
  return ({ connector, issued, settings: given, client }) =>
    withConnectErrors(connector, async () => {
      const { credential, kept, grantedScopes } = issued
      if (grantedScopes !== null && !areScopes(grantedScopes))
        throw new GatewayError('connect_failed', `${connector.name} granted an invalid scope. ${NOTHING_DONE}`)
      const known = { ...given, ...requireValidSettings(connector, kept ?? {}) }
      const found = await provider.discover({ connector, credential, settings: known, client })
      const settings = { ...known, ...requireValidSettings(connector, found) }
      const identity = await provider.identify({ connector, credential, settings, client })
      return { settings, identity: requireIdentity(connector, identity) }
    })
}

/** Sanitizes a label to one line. Returns undefined if no letter, digit or symbol is left. */
export function labelOf(text: string): string | undefined {
  const label = sanitizeLine(text, MAX_LABEL)
  return /[\p{L}\p{N}\p{S}]/u.test(label) ? label : undefined
}

/** Validates an identity from the provider. Throws connect_failed. */
function requireIdentity({ name }: ConnectorDefinition, { label: text, key }: AccountIdentity): AccountIdentity {
  const label = labelOf(text)
  if (label === undefined || !isPlainLine(key, MAX_KEY))
    throw new GatewayError('connect_failed', `${name} answered without an identity for this account. ${NOTHING_DONE}`)
  return { label, key }
}

function areScopes(scopes: readonly string[]): boolean {
  return scopes.length <= MAX_SCOPES && scopes.every(scope => isPlainLine(scope, MAX_SCOPE))
}
