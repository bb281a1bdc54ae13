import type { Kysely } from 'kysely'
import type { Audit } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Clock } from '../../schemas/time.ts'
import { createDashboardSessions } from '../identity/dashboard-sessions.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import { createSignInLinks } from './sign-in-links.ts'

interface DashboardServicesOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  audit: Audit
  commands: OperatorCommands
  settings: { dashboardUrl: string | undefined }
}

/** Creates the services of the dashboard: its sessions, and the links that begin one. */
export function createDashboardServices({ settings: { dashboardUrl }, ...options }: DashboardServicesOptions) {
  const sessions = createDashboardSessions(options)
  return {
    dashboardSessions: sessions,
    signInLinks: createSignInLinks({ ...options, sessions, dashboardUrl }),
  }
}
