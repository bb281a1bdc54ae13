import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { KeyRing } from '../../lib/configuration/key-ring.ts'
import type { Database } from '../../lib/database/tables.ts'
import type { Jobs } from '../../lib/jobs/jobs.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Clock } from '../../schemas/time.ts'
import { type Artifacts, createArtifacts } from './artifacts.ts'
import { defineArtifactExpiry } from './expiry.ts'
import { signingKeysOf } from './signed-url.ts'

interface ArtifactServicesOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  jobs: Jobs
  settings: { readonly dataDir: string; readonly vaultKeys: KeyRing }
}

/** Creates the artifacts in the data directory, and the job that removes the expired ones. */
export function createArtifactServices({ db, clock, ids, jobs, settings }: ArtifactServicesOptions): Artifacts {
  const directory = join(settings.dataDir, 'artifacts')
  defineArtifactExpiry(jobs, { db, clock, directory })
  return createArtifacts({ db, clock, ids, directory, signingKeys: signingKeysOf(settings.vaultKeys) })
}
