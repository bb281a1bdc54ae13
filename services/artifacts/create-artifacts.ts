import { join } from 'node:path'
import type { KeyRing } from '../../lib/configuration/key-ring.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { ArtifactStore } from './artifact-store.ts'
import { createArtifacts } from './artifacts.ts'
import { createDiskStore } from './disk-store.ts'
import { defineArtifactExpiry } from './expiry.ts'
import type { S3Settings } from './s3-settings.ts'
import { createS3Store } from './s3-store.ts'
import { signingKeysOf } from './signed-url.ts'
import { createUploads } from './uploads.ts'

interface StoreSettings {
  readonly dataDir: string
  readonly artifactsS3: S3Settings | undefined
}

interface ArtifactServicesOptions extends Pick<Infrastructure, 'db' | 'clock' | 'ids' | 'jobs'> {
  settings: StoreSettings & { readonly vaultKeys: KeyRing }
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
function createStore({ dataDir, artifactsS3 }: StoreSettings): ArtifactStore {
  return artifactsS3 === undefined ? createDiskStore(join(dataDir, 'artifacts')) : createS3Store(artifactsS3)
}
