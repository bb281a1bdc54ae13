import t from 'tap'
import { readTokenAnswer } from '../../services/credentials/token-answer.ts'
import type { ConnectorDefinition } from '../../services/definitions/connector-types.ts'
import { github } from '../../tools/connectors/github/connector.ts'
import {
  engine,
  failureOf,
  type Reply,
  recordingUpstream,
  secret,
} from '../services/connectors/connector-engine-fixture.ts'
import { exchange, given } from './exchange.ts'

// GitHub's own description covers the requests (descriptions.ts). Here is what it does not say.

const app = { owner: 'octo-org', repo: 'app' }
const P = '/repos/octo-org/app'
const HEAD = 'a'.repeat(40)

/** GitHub with one of its tools, on other hosts. */
function only(operation: string, baseUrl: string): ConnectorDefinition {
  const hosts = { uploads: { url: `${baseUrl}/uploads`, credential: true } }
  return { ...github, baseUrl, hosts, tools: github.tools.filter(tool => tool.operation === operation) }
}

async function fixture(t: Parameters<typeof recordingUpstream>[0]) {
  const api = await recordingUpstream(t)
  const machine = engine(t)
  const accessToken = secret()
  const credential = { v: 1, kind: 'oauth2', accessToken } as const
  const run = (operation: string, args: Record<string, unknown>) =>
    machine.run(only(operation, api.origin), args, { credential })
  return { ...machine, api, run, accessToken }
}

/** A repository with one branch, as the Git database of GitHub has it: https://docs.github.com/en/rest/git (2026-11-25). */
function repositoryDouble() {
  const blobs = new Map<string, string>()
  const trees = new Map<string, Record<string, { mode: string; sha: string }>>([['tree0', {}]])
  const commits = new Map([[HEAD, { tree: 'tree0', message: 'Begin' }]])
  const state = { head: HEAD, raced: false }
  const files = () => trees.get(commits.get(state.head)?.tree ?? '') ?? {}

  function reply(method: string, url: string, body: Record<string, unknown>): Reply {
    const line = `${method} ${url.replace(P, '')}`
    if (line === 'GET /branches/fix%2Flogin')
      return { body: { commit: { sha: state.head, commit: { tree: { sha: commits.get(state.head)?.tree } } } } }
    if (line === 'POST /git/blobs') {
      const sha = `blob${blobs.size}`
      blobs.set(sha, Buffer.from(String(body.content), 'base64').toString())
      return { status: 201, body: { sha } }
    }
    if (line === 'POST /git/trees') {
      const tree = { ...trees.get(String(body.base_tree)) }
      for (const { path, mode, sha } of body.tree as { path: string; mode: string; sha: string | null }[])
        if (sha === null) delete tree[path]
        else tree[path] = { mode, sha }
      trees.set(`tree${trees.size}`, tree)
      return { status: 201, body: { sha: `tree${trees.size - 1}` } }
    }
    if (line === 'POST /git/commits') {
      const sha = String(commits.size).repeat(40)
      t.same(body.parents, [state.head])
      commits.set(sha, { tree: String(body.tree), message: String(body.message) })
      return { status: 201, body: { sha } }
    }
    if (line === 'PATCH /git/refs/heads%2Ffix%2Flogin') {
      t.equal(body.force, false)
      if (state.raced) return { status: 422, body: { message: 'Update is not a fast forward' } }
      state.head = String(body.sha)
      return { body: { ref: 'refs/heads/fix/login', object: { sha: state.head } } }
    }
    const [, path = ''] = /^GET \/contents\/(.*)\?ref=fix%2Flogin$/.exec(line) ?? []
    const file = files()[decodeURIComponent(path)]
    return file === undefined ? { status: 404, body: { message: 'Not Found' } } : { body: blobs.get(file.sha) }
  }
  return { reply, state, files, commits }
}

t.test('what a commit of several files wrote is read back, and what it deleted is gone', async t => {
  const { api, run, files } = await fixture(t)
  const double = repositoryDouble()
  api.reply = ({ method, url, body }) =>
    double.reply(method, url, body.length === 0 ? {} : (JSON.parse(body.toString()) as Record<string, unknown>))
  const id = `art_${'b'.repeat(32)}`
  files.set(id, Buffer.from('\u0089PNG'))
  const branch = 'fix/login'
  const made = await run('commit_files', {
    ...app,
    branch,
    message: 'Add a script and a picture',
    files: [
      { path: 'src/grüße.ts', content: 'export const a = "ä"\n' },
      { path: 'run.sh', content: '#!/bin/sh\n', mode: '100755' },
      { path: 'a.png', content: id },
    ],
  })
  t.match(given(made), { ref: 'refs/heads/fix/login', object: { sha: double.state.head } })
  t.same(
    Object.values(double.files()).map(({ mode }) => mode),
    ['100644', '100755', '100644'],
  )
  const read = (path: string) => run('get_file_contents', { ...app, path, ref: branch })
  t.equal(given(await read('src/grüße.ts')), 'export const a = "ä"\n')
  t.equal(given(await read('a.png')), '\u0089PNG')

  await run('commit_files', { ...app, branch, message: 'Remove both', delete: ['a.png', 'run.sh'] })
  t.same(Object.keys(double.files()), ['src/grüße.ts'])
  t.match(await failureOf(read('run.sh')), { code: 'upstream_rejected', message: /Not Found/ })
  t.match(await failureOf(run('commit_files', { ...app, branch, message: 'Nothing' })), {
    code: 'invalid_request',
    message: /files or delete/,
  })

  double.state.raced = true
  const before = double.state.head
  const late = run('commit_files', { ...app, branch, message: 'Late', files: [{ path: 'b', content: 'b' }] })
  const failure = await failureOf(late)
  t.match(failure.message, /not a fast forward.*step 5 of 5 \(the last one\)/)
  t.equal(failure.unsettled, false, 'nobody sees what the steps before it made')
  t.equal(double.state.head, before)
})

// https://docs.github.com/en/rest/actions/workflow-jobs#download-job-logs-for-a-workflow-run (2026-11-25): a redirect to
// a host of files, whose URL is a secret of its own.
t.test('a log is read where GitHub redirects to, without the credential, and a long one from its end', async t => {
  const { api, run, accessToken, stored } = await fixture(t)
  const logs = await recordingUpstream(t)
  const log = `${'2026-11-25T20:00:00.0000000Z building\n'.repeat(4000)}##[error]Process completed with exit code 1.\n`
  api.reply = () => ({ status: 302, headers: { location: `${logs.origin}/log.txt?sig=x` } })
  logs.reply = () => ({ body: log })
  const text = String(given(await run('get_job_log', { ...app, job_id: 7 })))
  t.match(text, /^\[Bytes \d+ to \d+ of \d+\. For what comes before: cursor "/)
  t.ok(text.endsWith('##[error]Process completed with exit code 1.\n'))
  t.match(api.received[0], { url: `${P}/actions/jobs/7/logs`, headers: { authorization: `Bearer ${accessToken}` } })
  t.equal(logs.received[0]?.url, '/log.txt?sig=x')
  t.equal(logs.received[0]?.headers.authorization, undefined)

  await run('download_job_log', { ...app, job_id: 7 })
  t.same(stored, [{ name: 'job-7.log', bytes: Buffer.from(log) }])
  t.equal(logs.received[1]?.headers.authorization, undefined)
  logs.reply = () => ({ status: 401, body: 'expired' })
  t.match(await failureOf(run('get_job_log', { ...app, job_id: 7 })), { code: 'upstream_rejected' })
})

t.test('a file is added to a release at the host for uploads, with its name', async t => {
  const { api, run, accessToken, files } = await fixture(t)
  const id = `art_${'c'.repeat(32)}`
  files.set(id, Buffer.from('zip'))
  api.reply = () => ({ status: 201, body: { id: 3, name: 'app.zip', size: 3, uploader: {} } })
  const release = { ...app, release_id: 9 }
  t.same(given(await run('upload_release_asset', { ...release, content: id, file_name: 'app.zip' })), {
    id: 3,
    name: 'app.zip',
    size: 3,
  })
  await run('upload_release_asset', { ...release, content: id })
  t.match(api.received, [
    {
      method: 'POST',
      url: `/uploads${P}/releases/9/assets?name=app.zip`,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'image/png', 'content-length': '3' },
    },
    { url: `/uploads${P}/releases/9/assets?name=stored.bin` },
  ])
  t.equal(api.received[0]?.body.toString(), 'zip')
})

const send = async (operation: string, args: Record<string, unknown>, body: unknown = {}) => {
  const { sent, result, error } = await exchange(github, {}, { operation, args, answer: { body } })
  if (error !== undefined) throw error
  return { ...sent, result: given(result) }
}

t.test('a comment on a line is on the new side unless told otherwise, and may begin on an earlier line', async t => {
  const pull = { ...app, pull_number: 7 }
  const line = { path: 'src/a.ts', line: 12, body: 'Why?' }
  const start = { start_line: 10, start_side: 'RIGHT' }
  t.same((await send('create_review_comment', { ...pull, ...line, commit_id: HEAD })).body, {
    ...line,
    commit_id: HEAD,
    side: 'RIGHT',
  })
  t.same((await send('create_review_comment', { ...pull, ...line, commit_id: HEAD, side: 'LEFT', start })).body, {
    ...line,
    commit_id: HEAD,
    side: 'LEFT',
    ...start,
  })
  const comments = [line, { ...line, side: 'LEFT' }, { ...line, start }]
  t.same((await send('create_review', { ...pull, event: 'COMMENT', body: 'See below.', comments })).body, {
    event: 'COMMENT',
    body: 'See below.',
    comments: [
      { ...line, side: 'RIGHT' },
      { ...line, side: 'LEFT' },
      { ...line, side: 'RIGHT', ...start },
    ],
  })
  t.same((await send('create_review', { ...pull, event: 'APPROVE' })).body, { event: 'APPROVE' })
})

t.test('null takes an issue out of its milestone, and a milestone is due on the day that was named', async t => {
  t.same((await send('update_issue', { ...app, issue_number: 4, milestone: null })).body, { milestone: null })
  await t.rejects(send('update_issue', { ...app, issue_number: 4 }), { code: 'invalid_request' })
  const due = { ...app, due_on: '2026-03-31' }
  t.same((await send('create_milestone', { ...due, title: '2.0' })).body, {
    title: '2.0',
    due_on: '2026-03-31T12:00:00Z',
  })
  t.same((await send('update_milestone', { ...due, milestone_number: 3 })).body, { due_on: '2026-03-31T12:00:00Z' })
  t.same((await send('update_milestone', { ...app, milestone_number: 3, state: 'closed' })).body, { state: 'closed' })
})

t.test('names of branches, tags and workflows stay one segment of a path', async t => {
  const path = async (operation: string, args: object) =>
    (await send(operation, { ...app, ...args })).path.replace(P, '')
  t.equal(await path('delete_branch', { branch: 'fix/login' }), '/git/refs/heads%2Ffix%2Flogin')
  t.equal(await path('compare_commits', { base: 'main', head: 'mona:fix/login' }), '/compare/main...mona%3Afix%2Flogin')
  t.equal(await path('get_commit', { ref: 'fix/login' }), '/commits/fix%2Flogin')
  t.equal(await path('run_workflow', { workflow_id: 'ci.yml', ref: 'main' }), '/actions/workflows/ci.yml/dispatches')
  t.equal(await path('run_workflow', { workflow_id: 12, ref: 'main' }), '/actions/workflows/12/dispatches')
})

t.test('a repository is private unless it is to be public', async t => {
  t.same((await send('create_repository', { name: 'app' })).body, { name: 'app', private: true })
  t.same((await send('create_repository', { name: 'app', private: false })).body, { name: 'app', private: false })
})

t.test('lists that GitHub puts into an object are pages too', async t => {
  const link = '<https://api.github.com/x?page=2&per_page=30>; rel="next"'
  for (const [operation, args, member] of [
    ['list_workflow_runs', app, 'workflow_runs'],
    ['list_workflow_jobs', { ...app, run_id: 5 }, 'jobs'],
    ['list_check_runs', { ...app, ref: 'main' }, 'check_runs'],
    ['search_users', { query: 'mona' }, 'items'],
  ] as const) {
    const answer = { body: { total_count: 31, [member]: [{ id: 1, node_id: 'x' }] }, headers: { link } }
    const first = await exchange(github, {}, { operation, args, answer })
    const { items, next_cursor: cursor } = given(first.result) as { items: unknown; next_cursor: string }
    t.same(items, [{ id: 1 }], operation)
    const second = await exchange(github, {}, { operation, args: { ...args, cursor }, answer })
    t.match(second.sent.query, { page: '2', per_page: '30' })
  }
})

// https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens and
// https://github.com/orgs/community/discussions/204963 (2026-11-25).
t.test('tokens of both kinds of app are read: without an end, and with a refresh token', t => {
  const { auth } = github
  if (auth.type !== 'oauth2') throw new TypeError('GitHub has OAuth 2')
  const read = (answer: object) => readTokenAnswer(JSON.stringify(answer), auth.quirks)
  const oauthApp = { access_token: 'gho_a', scope: 'repo,read:org', token_type: 'bearer' }
  t.match(read(oauthApp)?.own, { accessToken: 'gho_a', scopes: ['repo', 'read:org'] })
  t.same([read(oauthApp)?.own?.refreshToken, read(oauthApp)?.own?.expiresIn], [undefined, undefined])
  const ends = { expires_in: 28800, refresh_token: 'ghr_a', refresh_token_expires_in: 15897600 }
  t.match(read({ ...oauthApp, ...ends })?.own, {
    refreshToken: 'ghr_a',
    expiresIn: 28800,
    scopes: ['repo', 'read:org'],
  })
  const githubApp = { access_token: 'ghu_a', ...ends, scope: '', token_type: 'bearer' }
  t.match(read(githubApp)?.own, { accessToken: 'ghu_a', refreshToken: 'ghr_a', expiresIn: 28800 })
  t.equal(read(githubApp)?.own?.scopes, undefined, 'its registration fixes the access')
  t.equal(read({ error: 'bad_refresh_token', error_description: 'x' })?.error, 'bad_refresh_token')
  t.ok(auth.quirks?.invalidGrant?.includes('bad_refresh_token'))
  t.end()
})

t.test('GitHub’s errors become sentences', async t => {
  const refuse = async (status: number, body: unknown, headers = {}) =>
    (
      await exchange(
        github,
        {},
        { operation: 'get_issue', args: { ...app, issue_number: 4 }, answer: { status, body, headers } },
      )
    ).error
  const invalid = {
    message: 'Validation Failed',
    errors: [{ resource: 'Release', code: 'already_exists', field: 'tag_name' }],
  }
  t.match(await refuse(422, invalid), { code: 'upstream_rejected', message: /already exists/ })
  t.match(await refuse(404, { message: 'Not Found' }), { message: /Not Found/ })
  t.match(await refuse(403, { message: 'Resource not accessible by integration' }), { code: 'upstream_rejected' })
  const reset = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60' }
  t.match(await refuse(403, { message: 'API rate limit exceeded' }, reset), {
    code: 'upstream_rate_limited',
    retryAfter: 60,
  })
  t.match(await refuse(403, { message: 'secondary rate limit' }, { 'retry-after': '30' }), { retryAfter: 30 })
})
