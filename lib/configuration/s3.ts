import type { Config } from '../../schemas/config.ts'
import { computeAll, InvalidConfiguration } from './faults.ts'
import { ConfigurationError, mustBe } from './variable.ts'

/** A bucket for the files of tools. */
export interface S3Settings {
  readonly bucket: string
  readonly region: string
  /** The URL of a service other than AWS; undefined: AWS in the region. */
  readonly endpoint: string | undefined
  /** What the names of all objects begin with. */
  readonly prefix: string
  /** Undefined: AWS's default chain. Not enumerable, so that printed settings do not show it. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
}

const OTHERS = [
  'ARTIFACTS_S3_REGION',
  'ARTIFACTS_S3_ENDPOINT',
  'ARTIFACTS_S3_PREFIX',
  'ARTIFACTS_S3_ACCESS_KEY_ID',
  'ARTIFACTS_S3_SECRET_ACCESS_KEY',
] as const

/** Undefined without ARTIFACTS_S3_BUCKET. Throws InvalidConfiguration with all variables that are wrong or missing. */
export function parseS3(config: Config): S3Settings | undefined {
  const { ARTIFACTS_S3_BUCKET: bucket } = config
  if (bucket === undefined) {
    const set = OTHERS.filter(name => config[name] !== undefined)
    if (set.length > 0) throw new InvalidConfiguration(set.map(name => together(name, 'ARTIFACTS_S3_BUCKET')))
    return undefined
  }
  const { credentials, ...printed } = computeAll({
    bucket: () => bucket,
    region: () => regionOf(config),
    endpoint: () => endpointOf(config),
    prefix: () => config.ARTIFACTS_S3_PREFIX ?? 'artifacts/',
    credentials: () => credentialsOf(config),
  })
  return Object.defineProperty(printed as S3Settings, 'credentials', { get: () => credentials })
}

function regionOf({ ARTIFACTS_S3_REGION: region }: Config): string {
  if (region === undefined) throw together('ARTIFACTS_S3_REGION', 'ARTIFACTS_S3_BUCKET')
  return region
}

function endpointOf({ ARTIFACTS_S3_ENDPOINT: text }: Config): string | undefined {
  if (text === undefined) return undefined
  const url = URL.parse(text)
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href
  if (!isOrigin) throw mustBe('ARTIFACTS_S3_ENDPOINT')
  return url.origin
}

function credentialsOf({
  ARTIFACTS_S3_ACCESS_KEY_ID: accessKeyId,
  ARTIFACTS_S3_SECRET_ACCESS_KEY: secretAccessKey,
}: Config): S3Settings['credentials'] {
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { accessKeyId, secretAccessKey }
  if (accessKeyId !== undefined) throw together('ARTIFACTS_S3_SECRET_ACCESS_KEY', 'ARTIFACTS_S3_ACCESS_KEY_ID')
  if (secretAccessKey !== undefined) throw together('ARTIFACTS_S3_ACCESS_KEY_ID', 'ARTIFACTS_S3_SECRET_ACCESS_KEY')
  return undefined
}

function together(name: keyof Config, other: keyof Config): ConfigurationError {
  return new ConfigurationError(name, `must be set together with ${other}`)
}
