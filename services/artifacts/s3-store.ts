import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { ARTIFACT_ID } from './artifact.ts'
import { type ArtifactStore, cannotStore } from './artifact-store.ts'
import type { S3Settings } from './s3-settings.ts'

/** The size of the parts of a larger file. */
const PART_BYTES = 8 * 1024 ** 2
/** How many parts are sent at a time, which bounds the memory of an upload. */
const PARTS_AT_ONCE = 3
/** How many objects are removed at a time. */
const REMOVED_AT_ONCE = 16

/** Stores files as objects in a bucket. The SDK is loaded at the first use. */
export function createS3Store(settings: S3Settings): ArtifactStore {
  const { bucket, prefix } = settings
  const place = (name: string) => ({ Bucket: bucket, Key: `${prefix}${name}` })
  const all = { Bucket: bucket, Prefix: prefix }
  let connecting: ReturnType<typeof connectS3> | undefined

  /** Runs requests. Throws internal_error if one fails. */
  async function run<T>(requests: (sdk: S3Sdk, client: S3Client) => Promise<T>): Promise<T> {
    try {
      // As a whole: a copy of the settings would not have the credentials, which are not enumerable.
      connecting ??= connectS3(settings)
      const { sdk, client } = await connecting
      return await requests(sdk, client)
    } catch (error) {
      throw cannotStore('the bucket of ARTIFACTS_S3_BUCKET, and the rights in it', error)
    }
  }

  return {
    async write(name, content, signal) {
      let failure: { readonly error: unknown } | undefined
      async function* watched() {
        try {
          yield* content
        } catch (error) {
          failure = { error }
          throw error
        }
      }
      try {
        const body = Readable.from(watched(), { objectMode: false })
        await run((_sdk, client) => upload(client, { ...place(name), Body: body }, signal))
      } catch (error) {
        if (signal?.aborted === true) throw signal.reason
        throw failure === undefined ? error : failure.error
      }
    },

    read: (name, range) =>
      run(async (sdk, client) => {
        const part = range && { Range: `bytes=${range.start}-${range.end}` }
        const found = await orMissing(client.send(new sdk.GetObjectCommand({ ...place(name), ...part })))
        return found?.Body as Readable | undefined
      }),

    has: name =>
      run(async (sdk, client) => {
        return (await orMissing(client.send(new sdk.HeadObjectCommand(place(name))))) !== undefined
      }),

    remove: names =>
      run(async (sdk, client) => {
        // Not every service has the request that removes several objects.
        const removeOne = (name: string) => client.send(new sdk.DeleteObjectCommand(place(name)))
        for (let at = 0; at < names.length; at += REMOVED_AT_ONCE)
          await Promise.all(names.slice(at, at + REMOVED_AT_ONCE).map(removeOne))
      }),

    async *list() {
      for (let token: string | undefined, more = true; more; ) {
        const { Contents, NextContinuationToken } = await run((sdk, client) =>
          client.send(new sdk.ListObjectsV2Command({ ...all, ...(token && { ContinuationToken: token }) })),
        )
        for (const { Key = '', LastModified } of Contents ?? []) {
          const name = Key.slice(prefix.length)
          if (ARTIFACT_ID.test(name) && LastModified !== undefined) yield { name, modifiedAt: LastModified.getTime() }
        }
        token = NextContinuationToken
        more = token !== undefined
      }
    },

    // One page of a thousand, which begins with the oldest names: the next run finds the others.
    removePartial: before =>
      run(async (sdk, client) => {
        const { Uploads = [] } = await client.send(new sdk.ListMultipartUploadsCommand(all))
        const old = Uploads.filter(
          ({ Key = '', Initiated }) =>
            ARTIFACT_ID.test(Key.slice(prefix.length)) && Initiated !== undefined && Initiated.getTime() < before,
        )
        for (const { Key, UploadId } of old)
          await client.send(new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }))
        return old.length
      }),
  }
}

/** Sends a stream as one object, or in parts if it is large. A failure removes the parts. */
async function upload(
  client: S3Client,
  params: { Bucket: string; Key: string; Body: Readable },
  signal: AbortSignal | undefined,
): Promise<void> {
  const { Upload } = await import('@aws-sdk/lib-storage')
  const upload = new Upload({ client, params, partSize: PART_BYTES, queueSize: PARTS_AT_ONCE })
  const abort = () => void upload.abort()
  signal?.addEventListener('abort', abort)
  try {
    signal?.throwIfAborted()
    await upload.done()
  } finally {
    signal?.removeEventListener('abort', abort)
    params.Body.destroy()
  }
}

/** Undefined if there is no such object. A missing bucket is a failure. */
async function orMissing<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound')) return undefined
    throw error
  }
}

type S3Sdk = typeof import('@aws-sdk/client-s3')

/** A connection to a service with the API of S3. */
interface S3 {
  readonly sdk: S3Sdk
  readonly client: S3Client
}

/** How long S3 may take to connect and to answer, and how long a transfer may pause. */
const TIMEOUTS = { connectionTimeout: 5_000, requestTimeout: 60_000, socketTimeout: 60_000 }
/** The maximum number of connections. Each download keeps one until it ends. */
const MAX_SOCKETS = 512

/**
 * Loads the SDK, which takes time and memory, and creates a client. The client is not subject to the rules of egress: the
 * operator configures the endpoint, which may be private, AWS's credentials come from addresses that egress refuses, and
 * nothing that a member sends changes where a request goes. It follows no redirects.
 */
async function connectS3({ region, endpoint, credentials }: Omit<S3Settings, 'bucket' | 'prefix'>): Promise<S3> {
  const sdk = await import('@aws-sdk/client-s3')
  const agent = { keepAlive: true, maxSockets: MAX_SOCKETS }
  const client = new sdk.S3Client({
    region,
    // Services besides AWS often have no host name per bucket.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials !== undefined && { credentials }),
    // Not every service knows the SDK's own checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { ...TIMEOUTS, throwOnRequestTimeout: true, httpAgent: agent, httpsAgent: agent },
  })
  return { sdk, client }
}
