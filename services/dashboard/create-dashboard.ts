import { createDashboardSessions } from '../identity/dashboard-sessions.ts'
import type { TokenIdentity } from '../identity/token-cache.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { DashboardClient } from './dashboard-settings.ts'
import { createIssuerClient } from './issuer-client.ts'
import { createIssuerSignIn } from './issuer-sign-in.ts'
import { createSignInLinks } from './sign-in-links.ts'

interface DashboardServicesOptions
  extends Pick<Infrastructure, 'db' | 'clock' | 'ids' | 'audit' | 'vault' | 'commands'> {
  settings: { dashboardUrl: string | undefined; dashboardClient: DashboardClient | undefined }
  verifyIdToken(token: string): Promise<TokenIdentity>
}

/** Creates the services of the dashboard: its sessions, and the links and the issuer that begin one. */
export function createDashboardServices({ settings, verifyIdToken: verify, ...options }: DashboardServicesOptions) {
  const { dashboardUrl, dashboardClient } = settings
  const sessions = createDashboardSessions(options)
  return {
    dashboardSessions: sessions,
    signInLinks: createSignInLinks({ ...options, sessions, dashboardUrl }),
    /** Undefined if users do not sign in at an issuer. */
    issuerSignIn:
      dashboardUrl === undefined || dashboardClient === undefined
        ? undefined
        : createIssuerSignIn({
            ...options,
            client: createIssuerClient(dashboardClient, options),
            clientId: dashboardClient.clientId,
            verify,
            sessions,
            dashboardUrl,
          }),
  }
}
