import { createHash } from 'node:crypto'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { sanitizeLine } from '../../../lib/sanitize-text.ts'
import type { IssuedCredential } from '../../credentials/credential.ts'
import type { OauthClient } from '../../credentials/oauth-clients.ts'
import { apiKeyMethodOf, type ConnectorDefinition, type ProviderRequest } from '../../definitions/connector-types.ts'
import type { ProviderCaller } from '../engine/provider-caller.ts'
import { isPlainLine, requireValidSettings } from './check-settings.ts'
import { withConnectErrors } from './connect-errors.ts'

/** The identity of an account. */
export interface AccountIdentity {
  /** The label for people. */
  readonly label: string
  /** The value that distinguishes it from other accounts; empty if the provider names none. */
  readonly key: string
  /** The text that the default alias is derived from, if not the label. */
  readonly aliasText?: string
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
interface IdentifiedAccount {
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

export function createIdentifyAccount(
  provider: Pick<ProviderCaller, 'call' | 'identify' | 'discover'>,
): IdentifyAccount {
  return ({ connector, issued, settings: given, client }) =>
    withConnectErrors(connector, async () => {
      const { credential, kept, grantedScopes } = issued
      if (grantedScopes !== null && !areScopes(grantedScopes))
        throw new GatewayError('connect_failed', `${connector.name} granted an invalid scope. ${NOTHING_DONE}`)
      const known = { ...given, ...requireValidSettings(connector, kept ?? {}) }
      const found = await provider.discover({ connector, credential, settings: known, client })
      const settings = { ...known, ...requireValidSettings(connector, found) }
      const asking = { connector, credential, settings, client }
      if (credential.kind === 'api_key') {
        const probe = apiKeyMethodOf(connector)?.probe
        if (typeof probe === 'object') {
          await verifyKey(provider, probe, asking)
          return { settings, identity: identityOfKey(connector, credential.key) }
        }
      }
      return { settings, identity: requireIdentity(connector, await provider.identify(asking)) }
    })
}

/** The identity of a key whose account the provider does not name. */
export function identityOfKey({ name }: Pick<ConnectorDefinition, 'name'>, key: string): AccountIdentity {
  return { label: fingerprintOf(key), key: '', aliasText: name }
}

/** Shorter keys show none of their characters in the fingerprint. */
const SHOWS_ITS_END = 16

/** The label of a key whose account is unknown. It distinguishes keys without revealing them. */
function fingerprintOf(key: string): string {
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 8)
  return key.length < SHOWS_ITS_END ? `key (fp ${hash})` : `key …${key.slice(-4)} (fp ${hash})`
}

/** Throws what ProviderCaller.call throws, except for a key that only lacks the permission for this request. */
async function verifyKey(
  provider: Pick<ProviderCaller, 'call'>,
  probe: ProviderRequest,
  asking: Parameters<ProviderCaller['call']>[1],
): Promise<void> {
  try {
    await provider.call(probe, asking)
  } catch (error) {
    if (!(error instanceof GatewayError && error.code === 'scope_missing')) throw error
  }
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
