import type { S3Client } from '@aws-sdk/client-s3'
import type { S3Settings } from '../../lib/configuration/s3.ts'

export type S3Sdk = typeof import('@aws-sdk/client-s3')

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
export async function connectS3({ region, endpoint, credentials }: Omit<S3Settings, 'bucket' | 'prefix'>): Promise<S3> {
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
