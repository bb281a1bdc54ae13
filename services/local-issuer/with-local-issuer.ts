import { isLoopback } from '../../lib/configuration/network.ts'
import type { GatewayEnvironment } from '../../schemas/gateway/environment.ts'
import type { TokenSettings } from '../identity/issuer-settings.ts'

/** The path of the local issuer on the origin of the dashboard. */
export const ISSUER_PATH = '/oauth'
/** How the local issuer signs access tokens. */
export const ISSUER_ALGORITHM = 'ES256'

/** The settings that decide whether there is a local issuer. */
interface StartSettings {
  readonly environment: GatewayEnvironment
  readonly dashboard: object | undefined
  readonly dashboardUrl: string | undefined
  readonly tokens: TokenSettings
  readonly localIssuer: string | undefined
  readonly warnings: readonly string[]
}

/**
 * In development without MCP_ISSUER, with a dashboard on this machine, lets MCP clients sign in with the browser at an issuer that the dashboard of this process
 * serves. Anywhere else the settings stay as they are. `installed` says whether oidc-provider is, which production
 * installs leave out.
 */
export function withLocalIssuer<S extends StartSettings>(settings: S, installed: () => boolean): S {
  const { environment, dashboard, dashboardUrl, tokens, warnings } = settings
  if (environment !== 'development' || tokens.mcp !== undefined) return settings
  if (dashboard === undefined || dashboardUrl === undefined) return settings
  if (!isLoopback(new URL(dashboardUrl).hostname)) return settings
  const fault = installed() ? algorithmFault(tokens.algorithms) : NOT_INSTALLED
  if (fault !== undefined)
    return { ...settings, warnings: [...warnings, `MCP clients cannot sign in with the browser: ${fault}`] }
  const localIssuer = dashboardUrl + ISSUER_PATH
  const mcp = { issuer: localIssuer, jwksUri: `${localIssuer}/jwks`, scopes: [] }
  return { ...settings, localIssuer, tokens: { ...tokens, mcp } }
}

const NOT_INSTALLED =
  'MCP_ISSUER is not set, and oidc-provider, which replaces it in development, is not installed. Run: npm ci'

function algorithmFault(algorithms: readonly string[]): string | undefined {
  if (algorithms.includes(ISSUER_ALGORITHM)) return undefined
  return `the issuer of development signs with ${ISSUER_ALGORITHM}. Add it to JWT_ALGORITHMS, or set MCP_ISSUER.`
}
