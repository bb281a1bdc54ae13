import { createSecretKey } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import Fastify from 'fastify'
import { openDatabase } from '../../lib/database/open-database.ts'
import { PublicHosts } from '../../lib/http/public-hosts.ts'
import { createIdSource } from '../../lib/id-source.ts'
import errorEnvelope from '../../plugins/error-envelope/plugin.ts'
import origin from '../../plugins/origin/plugin.ts'
import { artifactRoutes } from '../../routes/artifacts.ts'
import { createArtifacts } from '../../services/artifacts/artifacts.ts'
import { createDiskStore } from '../../services/artifacts/disk-store.ts'
import { createS3Store } from '../../services/artifacts/s3-store.ts'
import { signingKeysOf } from '../../services/artifacts/signed-url.ts'
import { silent } from '../fixtures/database.ts'

/**
 * A separate process with an artifact store, on a disk or in S3: `/in?from=URL` stores the body of URL and returns the signed URL; `/memory`
 * returns the current resident bytes and the peak since `/memory?reset`.
 */
const { DATABASE_URL, DATA_DIR = '', ARTIFACTS = '', S3, ORG = '', MEMBER = '' } = process.env
const clock = { now: Date.now }
const { db } = await openDatabase({
  postgres: DATABASE_URL === undefined ? undefined : { url: DATABASE_URL },
  dataDir: DATA_DIR,
  log: silent,
})
const artifacts = createArtifacts({
  db,
  clock,
  ids: createIdSource(clock),
  store: S3 === undefined ? createDiskStore(ARTIFACTS) : createS3Store(JSON.parse(S3)),
  signingKeys: signingKeysOf([{ id: 'v1', key: createSecretKey(Buffer.alloc(32)) }]),
})

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const app = Fastify({ exposeHeadRoutes: false })
app.register(errorEnvelope)
app.register(origin, {
  hosts: new PublicHosts(port => [`http://127.0.0.1:${port}`]),
  corsOrigins: [],
  trustsProxy: false,
  hsts: false,
})
app.register(artifactRoutes, { artifacts, clock })
app.get<{ Querystring: { from: string } }>('/in', async request => {
  const body = await new Promise<IncomingMessage>((resolve, reject) =>
    get(request.query.from, resolve).once('error', reject),
  )
  const artifact = await artifacts.create({ orgId: ORG, userId: MEMBER, name: 'large.bin', body })
  return { bytes: artifact.bytes, url: artifacts.urlOf(artifact, request.origin) }
})
app.get<{ Querystring: { reset?: string } }>('/memory', async request => {
  if (request.query.reset !== undefined) {
    // Garbage that is freed during the measurement would hide the memory that a file needs.
    collect()
    // Only Linux can reset the peak (proc(5), clear_refs).
    writeFileSync('/proc/self/clear_refs', '5')
  }
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  return { now: process.memoryUsage.rss(), peak: Number(peak) * 1024 }
})

console.log(`is ready: ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
