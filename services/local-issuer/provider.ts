import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import type { JWK } from 'jose'
import { sql } from 'kysely'
import type { Adapter, Configuration, Context, Interaction, InteractionPolicy, Provider } from 'oidc-provider'
import { secretFile } from '../../lib/configuration/secret-file.ts'
import type { Egress } from '../../lib/egress/egress.ts'
import { randomSecret, secretDigest } from '../../lib/random-secret.ts'
import type { Logger } from '../../schemas/gateway/log.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { ISSUER_ALGORITHM } from './with-local-issuer.ts'

/** What the local issuer signs with, in `<dataDir>/local-issuer.json`: tokens and cookies stay valid across restarts. */
const issuerSecrets = secretFile(
  'local-issuer',
  Type.Object({
    key: Type.Object({ kid: Type.String(), kty: Type.Literal('EC'), d: Type.String() }),
    cookieKey: Type.String({ minLength: 32 }),
  }),
  () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { d = '', x, y, crv } = privateKey.export({ format: 'jwk' })
    const kid = randomBytes(8).toString('hex')
    return { key: { kid, kty: 'EC' as const, crv, x, y, d }, cookieKey: randomSecret() }
  },
)

/** Reads or generates the secrets. Throws a ConfigurationError. */
export function readIssuerSecrets(dataDir: string): { key: JWK; cookieKey: string } {
  const { key, cookieKey } = issuerSecrets.readOrMake(dataDir)
  return { key: { ...key, alg: ISSUER_ALGORITHM, use: 'sig' }, cookieKey }
}

const DAY_S = 86_400

/** The only scope: the gateway has none, but a grant without a scope allows nothing. */
export const SCOPE = 'mcp'

/** The page of the dashboard that asks the user; with `/<uid>`. */
const PAGE = '/authorize'
/** The API of that page. Its cookie is sent nowhere else. */
const API = '/api/authorizations'
/** The cookie that binds an authorization to the browser that began it. */
export const AUTHORIZATION_COOKIE = 'gw-authorization'

interface ProviderOptions {
  issuer: string
  /** For which resources it issues tokens: `POST /mcp` of the public origins. */
  resources(): readonly string[]
  accessTokenSeconds: number
  secrets: ReturnType<typeof readIssuerSecrets>
  records: Omit<RecordsOptions, 'invalidGrant'>
  egress: Pick<Egress, 'fetch'>
  log: Pick<Logger, 'error'>
}

/** Loads oidc-provider and configures it: public clients, PKCE, JWT access tokens, and a consent for each authorization. */
export async function loadProvider({ issuer, log, ...options }: ProviderOptions): Promise<Provider> {
  // biome-ignore lint/correctness/noUndeclaredDependencies: only development loads it, where it is installed.
  const { Provider, errors, interactionPolicy } = await import('oidc-provider')
  const provider = new Provider(issuer, configurationOf(options, { errors, policy: askAlways(interactionPolicy) }))
  // The route names the host and the protocol, so that nobody else can.
  provider.proxy = true
  provider.on('server_error', (_context, error) => log.error({ err: error }, 'the local issuer failed'))
  return provider
}

type Module = typeof import('oidc-provider')

function configurationOf(
  { resources, accessTokenSeconds, secrets, records, egress }: Omit<ProviderOptions, 'issuer' | 'log'>,
  { errors, policy }: { errors: Module['errors']; policy: InteractionPolicy },
): Configuration {
  return {
    adapter: createRecords({ ...records, invalidGrant: reason => new errors.InvalidGrant(reason) }),
    jwks: { keys: [secrets.key] },
    cookies: { keys: [secrets.cookieKey], short: { signed: true, httpOnly: true, sameSite: 'lax' } },
    scopes: [],
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    enabledJWA: { idTokenSigningAlgValues: [ISSUER_ALGORITHM] },
    clientDefaults: {
      // Of loopback redirect URIs, the port may differ (RFC 8252, section 7.3).
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: ISSUER_ALGORITHM,
    },
    extraClientMetadata: {
      properties: ['redirect_uri_rule'],
      validator(_context, _key, _value, { redirect_uris: uris }) {
        if (Array.isArray(uris) && uris.every(isAllowedRedirect)) return
        throw new errors.InvalidClientMetadata(
          'redirect_uris must be on https or on this machine, or have a scheme of an app',
        )
      },
    },
    pkce: { required: () => true },
    ttl: {
      AccessToken: accessTokenSeconds,
      AuthorizationCode: 60,
      Interaction: 600,
      Session: 600,
      RefreshToken: 90 * DAY_S,
      Grant: 365 * DAY_S,
      IdToken: 600,
    },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => false,
    interactions: { policy, url: openPage },
    renderError: (context, { error }) => {
      context.status = 303
      context.redirect(`${PAGE}?error=${encodeURIComponent(error)}`)
    },
    fetch: (url, options) => egress.fetch(url, options),
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      revocation: { enabled: true, allowedPolicy: () => true },
      // The gateway rejects tokens that are bound to a key.
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resources()[0],
        useGrantedResource: () => true,
        getResourceServerInfo(_context, resource) {
          if (!resources().includes(resource)) throw new errors.InvalidTarget()
          return {
            scope: SCOPE,
            audience: resource,
            accessTokenFormat: 'jwt',
            accessTokenTTL: accessTokenSeconds,
            jwt: { sign: { alg: ISSUER_ALGORITHM } },
          }
        },
      },
    },
  }
}

/** Asks the user in each authorization: the issuer has no session of its own that could answer for them. */
function askAlways({ base, Check }: Module['interactionPolicy']): InteractionPolicy {
  const policy = base()
  const ask = new Check('asked_always', 'each authorization needs the user', ({ oidc }) => oidc.result === undefined)
  policy.get('login').checks.add(ask)
  return policy
}

/** Leads the browser to the page that asks, and binds the authorization to this browser. */
function openPage(context: Context, { uid, cid }: Interaction): string {
  const path = `${API}/${uid}`
  context.cookies.set(AUTHORIZATION_COOKIE, cid, { path, httpOnly: true, sameSite: 'strict', signed: false })
  return `${PAGE}/${uid}`
}

/** Whether a client may receive codes there: over https, on this machine, or in an app with a scheme of its own (RFC 8252, section 7). */
function isAllowedRedirect(uri: unknown): boolean {
  const url = typeof uri === 'string' ? URL.parse(uri) : null
  if (url === null || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'http:') return ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)
  return !['javascript:', 'vbscript:', 'data:', 'blob:', 'file:', 'about:'].includes(url.protocol)
}

/** How long the registration of a client lasts without a grant. With a grant, it lasts as long as the grant. */
const UNUSED_CLIENT_S = 86_400

/** The payload of oidc-provider, without its ID, which may be a secret token. */
type Payload = Record<string, unknown>

interface RecordsOptions extends Pick<Infrastructure, 'db' | 'clock'> {
  /** The error of oidc-provider that a client sees as invalid_grant. */
  invalidGrant: (reason: string) => Error
}

/**
 * The storage of oidc-provider, per kind of record. The ID of a code or a refresh token is the token itself, so rows have
 * its digest. It keeps no sessions: each authorization asks the signed-in user of the dashboard.
 */
export function createRecords({ db, clock, invalidGrant }: RecordsOptions): (kind: string) => Adapter {
  const at = (seconds: number) => new Date(clock.now() + seconds * 1000)

  /** Keeps the registration of a client at least as long as what the user allowed it. */
  async function keepClient(clientId: string, until: Date): Promise<void> {
    await db
      .updateTable('issuer_records')
      .where('kind', '=', 'Client')
      .where('id_hash', '=', secretDigest(clientId))
      .where('expires_at', '<', until)
      .set({ expires_at: until })
      .execute()
  }

  return kind => {
    const row = (id: string) => ({ kind, id_hash: secretDigest(id) })
    const none = async () => undefined
    return {
      async upsert(id, payload, expiresIn = UNUSED_CLIENT_S) {
        if (kind === 'Session') return
        const { jti: _, ...stored } = payload
        const { grantId, clientId } = payload as { grantId?: string; clientId?: string }
        const values = {
          payload: JSON.stringify(stored),
          grant_id: grantId ?? null,
          expires_at: at(expiresIn),
        }
        await db
          .insertInto('issuer_records')
          .values({ ...row(id), ...values })
          .onConflict(conflict => conflict.columns(['kind', 'id_hash']).doUpdateSet(values))
          .execute()
        if (kind === 'Grant' && clientId !== undefined) await keepClient(clientId, values.expires_at)
      },
      async find(id) {
        const { kind, id_hash } = row(id)
        const query = db.selectFrom('issuer_records').where('kind', '=', kind).where('id_hash', '=', id_hash)
        const found = await query.where('expires_at', '>', at(0)).select('payload').executeTakeFirst()
        if (found === undefined) return undefined
        return kind === 'Client' ? (found.payload as Payload) : { ...(found.payload as Payload), jti: id }
      },
      findByUid: none,
      findByUserCode: none,
      async consume(id) {
        const { kind, id_hash } = row(id)
        const consumed = JSON.stringify({ consumed: Math.floor(clock.now() / 1000) })
        const query = db.updateTable('issuer_records').where('kind', '=', kind).where('id_hash', '=', id_hash)
        // The provider checked before that it is unused. Of two requests at the same time, one must fail.
        const { numUpdatedRows } = await query
          .where(sql<boolean>`not jsonb_exists(payload, 'consumed')`)
          .set({ payload: sql`payload || ${consumed}::jsonb` })
          .executeTakeFirst()
        if (numUpdatedRows !== 1n) throw invalidGrant('the code or token was used by another request')
      },
      async destroy(id) {
        const { kind, id_hash } = row(id)
        await db.deleteFrom('issuer_records').where('kind', '=', kind).where('id_hash', '=', id_hash).execute()
      },
      async revokeByGrantId(grantId) {
        await db.deleteFrom('issuer_records').where('kind', '=', kind).where('grant_id', '=', grantId).execute()
      },
    }
  }
}
