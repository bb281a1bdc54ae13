import { type Egress, EgressError } from '../../../lib/egress/egress.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { createOauth1Signer } from '../../../lib/http/oauth1.ts'
import type { Logger } from '../../../schemas/log.ts'
import type { Clock } from '../../../schemas/time.ts'
import type { AccountSettings } from '../../accounts/account.ts'
import type { Credential } from '../../credentials/credential.ts'
import type { OauthClient } from '../../credentials/oauth-clients.ts'
import type { ConnectorDefinition, ProviderRequest } from '../../definitions/define-connector.ts'
import { fillPointers } from '../../definitions/pointer.ts'
import { chooseCandidate } from './answer/choose-candidate.ts'
import { compileClassifier } from './answer/classify-answer.ts'
import { egressFailure, providerError, unreadableAnswer } from './answer/provider-error.ts'
import { readAnswer } from './answer/read-answer.ts'
import { redactedJson, redactorOf } from './answer/redactor.ts'
import { buildProviderRequest } from './provider-request.ts'
import { authorize } from './request/authorize.ts'

/** Who asks a provider something that no tool asks: there may be no account yet. */
export interface ProviderContext {
  readonly connector: ConnectorDefinition
  readonly credential: Credential
  /** The settings that are known so far. */
  readonly settings: AccountSettings
  /** The OAuth app; needed by OAuth 1.0a alone. */
  readonly client?: Pick<OauthClient, 'id' | 'secret'> | undefined
}

/** The requests to a provider that no tool makes. */
export interface ProviderCaller {
  /**
   * The answer's JSON. Throws connect_failed where the credential is refused, and the upstream_… errors, timeout and
   * scope_missing as a tool does.
   */
  call(request: ProviderRequest, asking: ProviderContext): Promise<unknown>
  /** How the provider names the account, and tells it from others (IdentityProbe). Throws what `call` throws. */
  identify(asking: ProviderContext): Promise<{ label: string; key: string }>
  /**
   * The settings that are found out (SettingsDiscovery); none where the connector declares none. Throws connect_failed
   * where there is no candidate, or several and none is chosen, and what `call` throws.
   */
  discover(asking: ProviderContext): Promise<Record<string, string>>
}

/** Bytes of an answer about an account at most. */
const MAX_BYTES = 1024 ** 2

export function createProviderCaller({
  egress,
  clock,
  log,
}: {
  egress: Pick<Egress, 'request'>
  clock: Clock
  log?: Pick<Logger, 'warn'>
}): ProviderCaller {
  const sign = createOauth1Signer({ clock })

  async function call(request: ProviderRequest, asking: ProviderContext): Promise<unknown> {
    const { connector, credential, settings, client } = asking
    const built = buildProviderRequest(connector, request, { settings })
    const { method, url, headers, body } = built
    const secret = authorize({ connector, credential, client, request: built, sign })
    const refused = { connector, writes: false }
    const answered = await egress
      .request({
        method,
        url,
        headers,
        ...(body !== undefined && { body }),
        credential: { origin: url.origin, headers: secret },
        maxBytes: MAX_BYTES,
      })
      .catch((error: unknown) => {
        if (!(error instanceof EgressError)) throw error
        log?.warn({ err: error, connector: connector.id }, 'a provider could not be asked about an account')
        throw egressFailure(refused, error)
      })
    const redact = redactorOf(credential, ...(client === undefined ? [] : [client.secret]))
    const answer = readAnswer(answered, redact, { json: true })
    const refusal = compileClassifier(connector)(answer)
    if (refusal !== undefined) throw providerError(refused, refusal, answer.headers, clock.now())
    if (answer.json === undefined) throw unreadableAnswer(refused, answer.status)
    return redactedJson(answer.json, redact)
  }

  return {
    call,
    async identify(asking) {
      const { name, identity } = asking.connector
      if (identity === undefined) throw new TypeError(`${name} is not asked who an account is`)
      const answer = await call(identity.request, asking)
      const label = fillPointers(identity.label, answer)
      const key = identity.key === undefined ? label : fillPointers(identity.key, answer)
      if (label === undefined || key === undefined)
        throw new GatewayError('connect_failed', `${name} answered, and did not say who this credential is of.`)
      return { label: label.slice(0, 200).toWellFormed(), key }
    },
    async discover(asking) {
      const { connector, settings } = asking
      if (connector.discovery === undefined) return {}
      return chooseCandidate(connector, connector.discovery, await call(connector.discovery.request, asking), settings)
    },
  }
}
