import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { build } from '../fixtures/build.ts'
import type { TestMember } from '../fixtures/directory.ts'
import { startJira } from '../fixtures/jira-double.ts'
import { callerOfApp } from '../fixtures/journey-fixture.ts'
import { untypedBytes } from '../fixtures/untyped-bytes.ts'

const CLOUD = '11223344-a1b2-4b33-8c44-def123456789'

/** An app with Jira, and members of two organizations. Each has an account of Jira. */
async function fixture(t: Test) {
  const token = randomBytes(20).toString('hex')
  const jira = await startJira(t, { cloudId: CLOUD, token })
  const built = await build(t, {
    settings: {
      dataDir: join(t.testdir(), 'data'),
      connectorOverrides: new Map([['jira', { base_url: jira.baseUrl }]]),
      oauthClients: new Map([['jira', { id: 'app', secret: randomBytes(20).toString('hex') }]]),
    },
  })
  async function member({ caller, key: createKey }: TestMember) {
    await built.services.connecting.add({
      caller,
      connector: 'jira',
      scope: 'private',
      settings: { cloud_id: CLOUD, site: 'https://example.atlassian.net' },
      credential: { kind: 'oauth2', accessToken: token, expiresInSeconds: 3 * 86_400 },
      identity: 'Ada',
      probe: false,
    })
    const { key } = await createKey()
    const { call } = callerOfApp(built, { 'x-api-key': key })
    return {
      attach: (args: object) => call('jira__add_attachment', { issue: 'ENG-1', ...args }),
      async upload(content: Buffer | string, file: object = { file_name: 'data.bin' }) {
        const { data } = await call('files__upload', file)
        const { pathname, search } = new URL(String(data.upload_url))
        const response = await built.app.inject({ method: 'PUT', url: pathname + search, payload: content })
        t.equal(response.statusCode, 201)
        return String(data.artifact)
      },
    }
  }
  const [ada, bob] = await built.directory.members('member', 'admin')
  const [eve] = await built.directory.members('owner')
  return { ...built, jira, ada: await member(ada), bob: await member(bob), eve: await member(eve) }
}

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')

t.test('an uploaded file is attached to an issue byte by byte, with its name and type, or another name', async t => {
  const { ada, jira } = await fixture(t)
  const content = untypedBytes(3_000_001)
  const artifact = await ada.upload(content)
  const { data, text } = await ada.attach({ content: artifact })
  t.same(
    data.items,
    [{ id: '10001', filename: 'data.bin', size: content.length, mimeType: 'application/octet-stream' }],
    text,
  )
  const sent = { issue: 'ENG-1', bytes: content.length, sha256: sha256(content) }
  t.match(jira.attachments, [{ ...sent, name: 'data.bin', type: 'application/octet-stream' }])

  const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(100_000)])
  const image = await ada.upload(pdf, { file_name: 'Grüße "x".pdf' })
  t.equal((await ada.attach({ content: image })).outcome, 'ok')
  t.match(jira.attachments[1], { name: 'Grüße x .pdf', type: 'application/pdf', sha256: sha256(pdf) })
  await ada.attach({ content: image, file_name: 'other.pdf' })
  t.match(jira.attachments[2], { name: 'other.pdf', sha256: sha256(pdf) }, 'a file can be sent several times')
  await ada.attach({ content: 'a,b\n1,2\n', file_name: 'report.csv' })
  t.match(jira.attachments[3], { name: 'report.csv', bytes: 8, sha256: sha256('a,b\n1,2\n') })
  t.same(jira.rejections, [])
})

t.test('only the member who uploaded a file can send it, until it expires, and all errors are the same', async t => {
  const { ada, bob, eve, jira, clock, services } = await fixture(t)
  const artifact = await ada.upload('secret')
  const offered = async () => {
    const unused = await ada.upload('unused')
    return unused.replace(/.$/, last => (last === '0' ? '1' : '0'))
  }
  const refused = async (who: typeof ada, content: string) => {
    const { outcome, error } = await who.attach({ content })
    t.equal(outcome, 'invalid_request')
    return error?.message.replace(content, 'ID')
  }
  const messages = [
    await refused(bob, artifact),
    await refused(eve, artifact),
    await refused(ada, await offered()),
    await refused(ada, artifact.slice(0, -1)),
  ]
  t.equal((await ada.attach({ content: artifact })).outcome, 'ok')
  clock.advance(24 * 3_600_000)
  messages.push(await refused(ada, artifact))
  await services.jobs.runDue()
  messages.push(await refused(ada, artifact))
  t.same(
    new Set(messages),
    new Set(['You have no file ID, or it has expired. Upload it again with files__upload, or create it again.']),
  )
  t.equal(jira.attachments.length, 1)
})

t.test('an error of the provider reaches the caller, and the content of the file is in no answer', async t => {
  const { ada, jira } = await fixture(t)
  const content = `marker-${randomBytes(8).toString('hex')} `.repeat(10_000)
  const artifact = await ada.upload(content, { file_name: 'marked.txt' })
  jira.state.maxBytes = 100_000
  const tooLarge = await ada.attach({ content: artifact })
  t.match([tooLarge.outcome, tooLarge.error?.message], ['upstream_rejected', /at most 100000 bytes/])
  jira.state.token = 'another'
  const expired = await ada.attach({ content: artifact })
  t.equal(expired.outcome, 'needs_reauth')
  for (const { text } of [tooLarge, expired]) t.notMatch(text, 'marker-')
  t.same(jira.attachments, [])
})
