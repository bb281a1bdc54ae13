import { resolve } from 'node:path'
import { Type } from '@sinclair/typebox'
import { isDevelopment } from '../../lib/configuration/environment.ts'
import { computeAll } from '../../lib/configuration/faults.ts'
import { optionalUrl, passwordsOf } from '../../lib/configuration/network.ts'
import { setting, settingOf } from '../../lib/configuration/setting.ts'
import { mustBe, mustBeSetWith, type Variable, variable } from '../../lib/configuration/variable.ts'

const POSTGRES_URL = Type.Optional(
  Type.String({ pattern: '^postgres(ql)?://', description: 'a URL that begins with postgres://' }),
)

const DATABASE_URL = variable('DATABASE_URL', POSTGRES_URL, {
  doc: 'PostgreSQL 15 or newer, `postgres://user:password@host:5432/database`',
  unset: 'none: the embedded database in `DATA_DIR`',
})

const DATABASE_DIRECT_URL = variable('DATABASE_DIRECT_URL', POSTGRES_URL, {
  doc: 'bypasses a pooler, for migrations and LISTEN: a pooler in transaction mode supports neither',
  unset: '`DATABASE_URL`',
})

/** PostgreSQL, and the URL that bypasses a pooler for migrations and LISTEN. */
export interface DatabaseUrls {
  readonly url: string
  readonly directUrl: string
}

/** PostgreSQL; undefined: the embedded database in `dataDir`. */
export const database = settingOf(
  [DATABASE_URL, DATABASE_DIRECT_URL],
  ({ read }): DatabaseUrls | undefined => {
    const urlOf = (source: Variable<string | undefined>) => optionalUrl(read(source), () => mustBe(source))
    const { url, directUrl } = computeAll({
      url: () => urlOf(DATABASE_URL),
      directUrl: () => urlOf(DATABASE_DIRECT_URL),
    })
    if (url !== undefined) return { url, directUrl: directUrl ?? url }
    if (directUrl === undefined) return undefined
    throw mustBeSetWith(DATABASE_DIRECT_URL, DATABASE_URL)
  },
  {
    secrets: urls => [urls?.url, urls?.directUrl].flatMap(passwordsOf),
    warnings: (urls, reading) =>
      urls !== undefined || isDevelopment(reading)
        ? []
        : ['DATABASE_URL is not set: the embedded database is not synced to disk and serves one process.'],
  },
)

/** An absolute path. */
export const dataDir = setting('DATA_DIR', Type.String({ default: './data', description: 'a directory' }), {
  doc: 'the embedded database, its lock and control socket, the secrets of development, and files of tools (`artifacts`) without `ARTIFACTS_S3_BUCKET`. Several processes must share this directory or [use a bucket](#files-in-a-bucket); otherwise each answers 404 for files of the others',
  unset: '`./data` (the image: `/data`)',
  to: path => resolve(path),
})
