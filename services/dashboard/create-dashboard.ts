import type { Kysely } from 'kysely'
import type { Audit } from '../../lib/audit/audit.ts'
import type { DashboardClient } from '../../lib/configuration/dashboard.ts'
import type { Database } from '../../lib/database/tables.ts'
import type { Vault } from '../../lib/vault/vault.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Clock } from '../../schemas/time.ts'
import { createDashboardSessions } from '../identity/dashboard-sessions.ts'
import type { TokenIdentity } from '../identity/token-cache.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import { createIssuerClient } from './issuer-client.ts'
import { createIssuerSignIn } from './issuer-sign-in.ts'
import { createSignInLinks } from './sign-in-links.ts'

interface DashboardServicesOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  vault: Vault
  audit: Audit
  commands: OperatorCommands
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
            ...{ clientId: dashboardClient.clientId, verify, sessions, dashboardUrl },
          }),
  }
}
