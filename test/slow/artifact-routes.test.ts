import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import type { NamedKey } from '../../lib/configuration/key-ring.ts'
import { openDatabase } from '../../lib/database/open-database.ts'
import { build } from '../fixtures/build.ts'
import { silent, testDatabaseUrl, testPostgres } from '../fixtures/database.ts'
import { startJira } from '../fixtures/jira-double.ts'
import { startS3 } from '../fixtures/s3-double.ts'
import { testSettings } from '../fixtures/settings.ts'
import { startProgram } from './gateway-process.ts'
import { download, largeContent, MIB } from './large-files.ts'

const EXTRA_MIB = 100
const CLOUD = '11223344-a1b2-4b33-8c44-def123456789'
const root = fileURLToPath(new URL('../..', import.meta.url))

const inEnvironment = ({ id, key }: NamedKey) => `${id}:${key.export().toString('base64')}`

/** A gateway process whose files are on disk or in S3, and a member with a key and an account of Jira. */
async function fixture(t: Test, storage: 'disk' | 'S3') {
  const directory = mkdtempSync(join(tmpdir(), 'connector-gateway-artifacts-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  const url = await testPostgres(t, testDatabaseUrl ?? '')
  const token = randomBytes(20).toString('hex')
  const jira = await startJira(t, { cloudId: CLOUD, token })
  const oauthClient = { id: 'app', secret: randomBytes(20).toString('hex') }
  const { peppers, vaultKeys } = testSettings()
  const { services, directory: members } = await build(t, {
    database: await openDatabase({ postgres: { url, maxConnections: 2 }, dataDir: '', log: silent }),
    settings: { vaultKeys, peppers, oauthClients: new Map([['jira', oauthClient]]) },
  })
  const [ada] = await members.members('member')
  await services.connecting.add({
    caller: ada.caller,
    connector: 'jira',
    scope: 'private',
    settings: { cloud_id: CLOUD, site: 'https://example.atlassian.net' },
    credential: { kind: 'oauth2', accessToken: token, expiresInSeconds: 86_400 },
    identity: 'Ada',
    probe: false,
  })
  const s3 = storage === 'S3' ? await startS3({ directory: join(directory, 's3') }) : undefined
  t.teardown(() => s3?.close())
  const bucket = s3 && {
    ARTIFACTS_S3_BUCKET: s3.settings.bucket,
    ARTIFACTS_S3_REGION: s3.settings.region,
    ARTIFACTS_S3_ENDPOINT: s3.settings.endpoint,
    ARTIFACTS_S3_PREFIX: s3.settings.prefix,
    ARTIFACTS_S3_ACCESS_KEY_ID: s3.settings.credentials.accessKeyId,
    ARTIFACTS_S3_SECRET_ACCESS_KEY: s3.settings.credentials.secretAccessKey,
  }
  const settings = {
    PORT: '0',
    DASHBOARD: 'off',
    DATABASE_URL: url,
    DATA_DIR: join(directory, 'data'),
    API_KEY_PEPPERS: inEnvironment(peppers[0]),
    VAULT_KEYS: inEnvironment(vaultKeys[0]),
    EGRESS_ALLOW_LOOPBACK: 'true',
    CONNECTOR_OVERRIDES: JSON.stringify({ jira: { base_url: jira.baseUrl } }),
    OAUTH_CLIENTS: JSON.stringify({ jira: { client_id: oauthClient.id, client_secret: oauthClient.secret } }),
    ...bucket,
  }
  // With the options of `npm start`.
  const gateway = await startProgram(t, ['--max-semi-space-size=4', 'server.ts'], settings, root)
  const { key } = await ada.key()
  const here = (signed: string) => gateway.url + new URL(signed).pathname + new URL(signed).search
  async function call(tool: string, args: object): Promise<Record<string, unknown>> {
    const { result } = JSON.parse(await gateway.call(key, tool, args))
    if (result.isError) throw new Error(result.content[0].text)
    return result.structuredContent
  }

  return {
    jira,
    /** Uploads a file of random bytes. */
    async upload(size: number) {
      const { artifact, upload_url } = await call('files__upload', { file_name: 'large.bin' })
      const { blocks, sha256 } = largeContent(size)
      const sending = request(here(String(upload_url)), { method: 'PUT', headers: { 'content-length': size } })
      const answered = new Promise<IncomingMessage>((resolve, reject) =>
        sending.once('response', resolve).once('error', reject),
      )
      await pipeline(Readable.from(blocks()), sending)
      const answer = await answered
      const stored = (await json(answer)) as { bytes: number; url: string }
      if (answer.statusCode !== 201) throw new Error(`${answer.statusCode} ${JSON.stringify(stored)}`)
      return { artifact, bytes: stored.bytes, url: here(stored.url), sha256: sha256() }
    },
    attach: (artifact: unknown) => call('jira__add_attachment', { issue: 'ENG-1', content: artifact }),
    memory: () => memoryOf(gateway.pid),
  }
}

/** Measures the additional memory of a process from now on, in MiB. */
function memoryOf(pid: number) {
  const read = (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  // Only Linux can reset the peak (proc(5), clear_refs).
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const before = read('VmRSS')
  const started = performance.now()
  return {
    before: Math.round(before),
    extra: () => Math.round(read('VmHWM') - before),
    seconds: () => ((performance.now() - started) / 1000).toFixed(1),
  }
}

function skipped(): string | false {
  if (!existsSync('/proc/self/clear_refs')) return 'only Linux reports the peak memory of a process'
  // The embedded database frees hundreds of MiB after its start, which would hide the memory that a file needs.
  return testDatabaseUrl === undefined && 'TEST_DATABASE_URL is not set'
}

const skip = skipped()
for (const storage of ['disk', 'S3'] as const)
  t.test(
    `${storage}: 1 GiB goes in and out of a gateway, and 200 MiB to Jira, each with at most 100 MiB of extra memory`,
    { skip },
    async t => {
      const { jira, upload, attach, memory } = await fixture(t, storage)
      // Loads the code first, so that its memory does not count.
      const warm = await upload(20 * MIB)
      await download(warm.url)
      await attach(warm.artifact)

      const small = (what: string, { before, extra, seconds }: ReturnType<typeof memory>) => {
        const mib = extra()
        t.comment(`${storage}, ${what}: ${seconds()} s, at most ${mib} MiB extra (${before} MiB before)`)
        t.ok(mib < EXTRA_MIB, `${what}: ${mib} MiB`)
      }
      const during = memory()
      const { url, ...stored } = await upload(1024 * MIB)
      small('1 GiB in', during)
      const meanwhile = memory()
      t.match(stored, await download(url))
      small('1 GiB out', meanwhile)

      const { artifact, bytes, sha256 } = await upload(200 * MIB)
      const sending = memory()
      await attach(artifact)
      small('200 MiB to Jira', sending)
      t.match(jira.attachments.at(-1), { bytes, sha256 })
      t.same(jira.rejections, [])
    },
  )
