import { Type } from '@sinclair/typebox'
import { computeAll, InvalidConfiguration } from '../../lib/configuration/faults.ts'
import { type Reading, settingOf } from '../../lib/configuration/setting.ts'
import { mustBe, mustBeSetWith, variable } from '../../lib/configuration/variable.ts'

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

const BUCKET = variable(
  'ARTIFACTS_S3_BUCKET',
  Type.Optional(Type.String({ pattern: '^[0-9A-Za-z][0-9A-Za-z._-]{1,62}$', description: 'the name of a bucket' })),
  {
    doc: 'the bucket for files of tools ([Files in a bucket](#files-in-a-bucket)). Set it together with `ARTIFACTS_S3_REGION`',
    unset: 'none: files of tools are in `DATA_DIR/artifacts`',
  },
)

const REGION = variable(
  'ARTIFACTS_S3_REGION',
  Type.Optional(
    Type.String({ pattern: '^[0-9a-z-]{1,40}$', description: 'the region of the bucket, such as eu-central-1' }),
  ),
  { doc: 'the region of the bucket' },
)

const ENDPOINT = variable(
  'ARTIFACTS_S3_ENDPOINT',
  Type.Optional(Type.String({ description: 'the origin of a service with the API of S3 (http or https, no path)' })),
  {
    doc: 'the origin of another service with the API of S3, `scheme://host[:port]`. Use https unless the network is yours',
    unset: 'AWS',
  },
)

const PREFIX = variable(
  'ARTIFACTS_S3_PREFIX',
  Type.Optional(
    Type.String({
      maxLength: 500,
      pattern: '^([0-9A-Za-z._-]+/)+$',
      description:
        'what the names of objects begin with, such as artifacts/: letters, digits, ".", "_", "-", each part ending with "/"',
    }),
  ),
  { doc: 'what the names of the objects begin with; ends with `/`', unset: '`artifacts/`' },
)

const ACCESS_KEY_ID = variable(
  'ARTIFACTS_S3_ACCESS_KEY_ID',
  Type.Optional(Type.String({ pattern: '^\\S{3,128}$', description: 'the ID of an access key for the bucket' })),
  {
    doc: 'the ID of an access key for the bucket. Set it together with `ARTIFACTS_S3_SECRET_ACCESS_KEY`',
    unset: "AWS's default chain: its environment variables, a profile, the role of the container or machine",
  },
)

const SECRET_ACCESS_KEY = variable(
  'ARTIFACTS_S3_SECRET_ACCESS_KEY',
  Type.Optional(Type.String({ pattern: '^\\S{8,}$', description: 'the secret of that access key' })),
  { doc: 'the secret of that access key' },
)

const OTHERS = [REGION, ENDPOINT, PREFIX, ACCESS_KEY_ID, SECRET_ACCESS_KEY]

/** The bucket of the files of tools; undefined: they are in `dataDir`. */
export const artifactsS3 = settingOf([BUCKET, ...OTHERS], parseS3, {
  secrets: settings => (settings?.credentials === undefined ? [] : [settings.credentials.secretAccessKey]),
})

/** Undefined without a bucket. Throws InvalidConfiguration with all variables that are wrong or missing. */
function parseS3({ read }: Reading): S3Settings | undefined {
  const bucket = read(BUCKET)
  if (bucket === undefined) {
    const set = OTHERS.filter(source => read(source) !== undefined)
    if (set.length > 0) throw new InvalidConfiguration(set.map(source => mustBeSetWith(source, BUCKET)))
    return undefined
  }
  const { credentials, ...printed } = computeAll({
    bucket: () => bucket,
    region() {
      const region = read(REGION)
      if (region === undefined) throw mustBeSetWith(REGION, BUCKET)
      return region
    },
    endpoint: () => endpointOf(read(ENDPOINT)),
    prefix: () => read(PREFIX) ?? 'artifacts/',
    credentials: () => credentialsOf(read(ACCESS_KEY_ID), read(SECRET_ACCESS_KEY)),
  })
  return Object.defineProperty(printed as S3Settings, 'credentials', { get: () => credentials })
}

function endpointOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.parse(text)
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href
  if (!isOrigin) throw mustBe(ENDPOINT)
  return url.origin
}

function credentialsOf(
  accessKeyId: string | undefined,
  secretAccessKey: string | undefined,
): S3Settings['credentials'] {
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { accessKeyId, secretAccessKey }
  if (accessKeyId !== undefined) throw mustBeSetWith(SECRET_ACCESS_KEY, ACCESS_KEY_ID)
  if (secretAccessKey !== undefined) throw mustBeSetWith(ACCESS_KEY_ID, SECRET_ACCESS_KEY)
  return undefined
}
