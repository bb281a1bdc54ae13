import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { forOrg } from '../../lib/database/tenant.ts'
import type { Egress } from '../../lib/egress/egress.ts'
import type { PublicHosts } from '../../lib/http/public-hosts.ts'
import type { ActiveOrganizations } from '../identity/active-organization.ts'
import type { TokenSettings } from '../identity/issuer-settings.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { SignIns } from '../organizations/sign-ins.ts'
import { type Authorizations, createAuthorizations } from './authorizations.ts'
import { loadProvider, readIssuerSecrets } from './provider.ts'

const HOUR_S = 3_600

/** The authorization server of development, where MCP clients sign in with the browser. */
export interface LocalIssuer {
  /** Answers a request. Its URL begins after the path of the issuer. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>
  authorizations: Authorizations
}

interface LocalIssuerOptions extends Pick<Infrastructure, 'db' | 'clock' | 'log' | 'audit'> {
  settings: { readonly localIssuer: string | undefined; readonly dataDir: string; readonly tokens: TokenSettings }
  egress: Pick<Egress, 'fetch'>
  hosts: PublicHosts
  signIns: SignIns
  activeOrganizations: ActiveOrganizations
}

/**
 * Creates the local issuer; undefined where the settings have none. oidc-provider is loaded by the first request. Throws a
 * ConfigurationError if its secrets cannot be read.
 */
export function createLocalIssuer(options: LocalIssuerOptions): LocalIssuer | undefined {
  const { localIssuer } = options.settings
  return localIssuer === undefined ? undefined : localIssuerAt(localIssuer, options)
}

function localIssuerAt(issuer: string, { settings, ...options }: LocalIssuerOptions): LocalIssuer {
  const { dataDir, tokens } = settings
  const { db, hosts, egress, log } = options
  const secrets = readIssuerSecrets(dataDir)
  let loading: Promise<{ provider: Provider; answer: ReturnType<Provider['callback']> }> | undefined

  async function load() {
    const provider = await loadProvider({
      issuer,
      secrets,
      egress,
      log,
      records: options,
      resources: () => hosts.mcpResources,
      accessTokenSeconds: Math.min(HOUR_S, tokens.maxLifetimeSeconds),
    })
    return { provider, answer: provider.callback() }
  }
  const loaded = () => {
    loading ??= load()
    return loading
  }

  return {
    answer: async (request, response) => (await loaded()).answer(request, response),
    authorizations: createAuthorizations({
      ...options,
      issuer,
      provider: async () => (await loaded()).provider,
      orgDatabase: orgId => forOrg(db, orgId),
    }),
  }
}
