import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Settings } from '../../lib/configuration/settings.ts'
import type { Database } from '../../lib/database/tables.ts'
import type { Jobs } from '../../lib/jobs/jobs.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Clock } from '../../schemas/time.ts'
import type { ArtifactStore } from './artifact-store.ts'
import { createArtifacts } from './artifacts.ts'
import { createDiskStore } from './disk-store.ts'
import { defineArtifactExpiry } from './expiry.ts'
import { createS3Store } from './s3-store.ts'
import { signingKeysOf } from './signed-url.ts'
import { createUploads } from './uploads.ts'

interface ArtifactServicesOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  jobs: Jobs
  settings: Pick<Settings, 'dataDir' | 'vaultKeys' | 'artifactsS3'>
}

/** Creates the artifacts in their store, the uploads, and the job that removes what expired. */
export function createArtifactServices({ db, clock, ids, jobs, settings }: ArtifactServicesOptions) {
  const store = createStore(settings)
  defineArtifactExpiry(jobs, { db, clock, store })
  const signingKeys = signingKeysOf(settings.vaultKeys)
  const artifacts = createArtifacts({ db, clock, ids, store, signingKeys })
  return { artifacts, uploads: createUploads({ artifacts, clock, ids, signingKeys }) }
}

/** Creates the store of the settings: a bucket, or the data directory. */
function createStore({ dataDir, artifactsS3 }: Pick<Settings, 'dataDir' | 'artifactsS3'>): ArtifactStore {
  return artifactsS3 === undefined ? createDiskStore(join(dataDir, 'artifacts')) : createS3Store(artifactsS3)
}
