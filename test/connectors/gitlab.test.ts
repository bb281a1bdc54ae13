import t from 'tap'
import { gitlab } from '../../tools/connectors/gitlab/connector.ts'
import { operationOf } from './descriptions.ts'
import { checkRow, exchange, given, type Row } from './exchange.ts'

// For the operations that GitLab's own description lacks. Written from knowledge of the API, not compared with
// https://docs.gitlab.com/api/rest/ operation by operation, nor with an account.

const P = '/api/v4/projects/octo%2Fapp'
const app = { project: 'octo/app' }
const paged = { per_page: '20' }
const ada = { id: 7, username: 'ada', name: 'Ada Lovelace' }
const noise = { avatar_url: 'https://x.test', _links: { self: 'https://x.test' } }
const issue = {
  iid: 4,
  project_id: 1,
  title: 'Login crashes',
  state: 'opened',
  labels: ['bug'],
  author: { username: 'ada' },
  assignees: [{ id: 7, username: 'ada' }],
  due_date: '2026-03-31',
  web_url: 'https://gitlab.com/octo/app/-/issues/4',
}
const mergeRequest = {
  iid: 9,
  title: 'Catch it',
  source_branch: 'fix',
  target_branch: 'main',
  reviewers: [{ id: 7, username: 'ada' }],
  sha: 'a'.repeat(40),
}
const note = { id: 3, body: 'Seen.', author: { username: 'ada', name: 'Ada Lovelace' }, system: false }
const commit = { id: 'b'.repeat(40), short_id: 'bbbbbbbb', title: 'Catch it', message: 'Catch it\n', parent_ids: [] }
const diff = { old_path: 'a.ts', new_path: 'a.ts', new_file: false, diff: '@@ -1 +1 @@\n-a\n+b\n' }
const pipeline = { id: 50, iid: 5, status: 'failed', source: 'push', ref: 'main', sha: 'b'.repeat(40) }
const job = { id: 60, name: 'test', stage: 'test', status: 'failed', failure_reason: 'script_failure' }

/** The result of a row is its answer, unless it names another. Each answer has members that are not kept. */
const ROWS: Row[] = [
  [
    'search_projects',
    { search: 'app' },
    'GET /api/v4/projects',
    { query: { search: 'app', membership: 'true', order_by: 'last_activity_at', ...paged } },
    [{ id: 1, path_with_namespace: 'octo/app', default_branch: 'main' }],
  ],
  ['get_project', app, `GET ${P}`, {}, { id: 1, name: 'App', permissions: { project_access: { access_level: 40 } } }],
  ['get_project', { project: '1' }, 'GET /api/v4/projects/1', {}, { id: 1, name: 'App' }],
  [
    'search_code',
    { ...app, search: 'createServer', ref: 'main' },
    `GET ${P}/search`,
    { query: { scope: 'blobs', search: 'createServer', ref: 'main', ...paged } },
    [{ path: 'src/a.ts', ref: 'main', startline: 3, data: 'createServer()' }],
  ],
  [
    'list_members',
    { ...app, query: 'ada' },
    `GET ${P}/members/all`,
    { query: { query: 'ada', ...paged } },
    [{ ...ada, state: 'active', access_level: 40 }],
  ],
  ['list_labels', app, `GET ${P}/labels`, { query: paged }, [{ id: 1, name: 'bug', color: '#f00' }]],
  [
    'list_milestones',
    { ...app, state: 'active' },
    `GET ${P}/milestones`,
    { query: { state: 'active', ...paged } },
    [{ id: 12, title: 'v1', state: 'active' }],
  ],
  [
    'search_issues',
    { search: 'login', labels: ['bug', 'web'], state: 'opened', limit: 5 },
    'GET /api/v4/issues',
    { query: { scope: 'assigned_to_me', search: 'login', labels: 'bug,web', state: 'opened', per_page: '5' } },
    [issue],
  ],
  [
    'list_issues',
    { ...app, assignee_username: 'ada', updated_after: '2026-01-01T00:00:00Z', sort: 'asc' },
    `GET ${P}/issues`,
    { query: { assignee_username: 'ada', updated_after: '2026-01-01T00:00:00Z', sort: 'asc', ...paged } },
    [issue],
  ],
  ['get_issue', { ...app, issue: 4 }, `GET ${P}/issues/4`, {}, { ...issue, description: 'It *does*.' }],
  [
    'create_issue',
    { ...app, title: 'Login crashes', labels: ['bug', 'web'], assignee_ids: [7], due_date: '2026-03-31' },
    `POST ${P}/issues`,
    { body: { title: 'Login crashes', labels: 'bug,web', assignee_ids: [7], due_date: '2026-03-31' } },
    issue,
  ],
  [
    'update_issue',
    { ...app, issue: 4, state_event: 'close', add_labels: ['done'], description: '', milestone_id: 0 },
    `PUT ${P}/issues/4`,
    { body: { state_event: 'close', add_labels: 'done', description: '', milestone_id: 0 } },
    issue,
  ],
  ['list_issue_comments', { ...app, issue: 4 }, `GET ${P}/issues/4/notes`, { query: paged }, [note]],
  [
    'create_issue_comment',
    { ...app, issue: 4, body: 'Seen.' },
    `POST ${P}/issues/4/notes`,
    { body: { body: 'Seen.' } },
    note,
  ],
  [
    'search_merge_requests',
    { scope: 'all', reviewer_username: 'ada' },
    'GET /api/v4/merge_requests',
    { query: { scope: 'all', reviewer_username: 'ada', ...paged } },
    [mergeRequest],
  ],
  [
    'list_merge_requests',
    { ...app, state: 'opened', target_branch: 'main' },
    `GET ${P}/merge_requests`,
    { query: { state: 'opened', target_branch: 'main', ...paged } },
    [mergeRequest],
  ],
  [
    'get_merge_request',
    { ...app, merge_request: 9 },
    `GET ${P}/merge_requests/9`,
    {},
    { ...mergeRequest, description: 'Why', head_pipeline: { id: 50, status: 'failed' } },
  ],
  [
    'list_merge_request_diffs',
    { ...app, merge_request: 9 },
    `GET ${P}/merge_requests/9/diffs`,
    { query: paged },
    [diff],
  ],
  [
    'create_merge_request',
    { ...app, source_branch: 'fix', target_branch: 'main', title: 'Catch it', reviewer_ids: [7], squash: true },
    `POST ${P}/merge_requests`,
    { body: { source_branch: 'fix', target_branch: 'main', title: 'Catch it', reviewer_ids: [7], squash: true } },
    mergeRequest,
  ],
  [
    'update_merge_request',
    { ...app, merge_request: 9, title: 'Draft: Catch it', remove_labels: ['a', 'b'] },
    `PUT ${P}/merge_requests/9`,
    { body: { title: 'Draft: Catch it', remove_labels: 'a,b' } },
    mergeRequest,
  ],
  [
    'merge_merge_request',
    { ...app, merge_request: 9, sha: 'a'.repeat(40), remove_source_branch: true },
    `PUT ${P}/merge_requests/9/merge`,
    { body: { sha: 'a'.repeat(40), should_remove_source_branch: true } },
    mergeRequest,
  ],
  [
    'list_merge_request_comments',
    { ...app, merge_request: 9 },
    `GET ${P}/merge_requests/9/notes`,
    { query: paged },
    [note],
  ],
  [
    'create_merge_request_comment',
    { ...app, merge_request: 9, body: 'Seen.' },
    `POST ${P}/merge_requests/9/notes`,
    { body: { body: 'Seen.' } },
    note,
  ],
  [
    'get_file',
    { ...app, file_path: 'src/ä b.ts', ref: 'main' },
    `GET ${P}/repository/files/src%2F%C3%A4%20b.ts/raw`,
    { query: { ref: 'main' } },
    'const a = 1\n',
  ],
  [
    'list_directory',
    { ...app, path: 'src', recursive: true },
    `GET ${P}/repository/tree`,
    { query: { path: 'src', recursive: 'true', pagination: 'keyset', per_page: '100' } },
    [{ path: 'src/a.ts', type: 'blob' }],
  ],
  [
    'create_file',
    { ...app, file_path: 'src/a.ts', branch: 'fix', commit_message: 'Add it', content: 'ä' },
    `POST ${P}/repository/files/src%2Fa.ts`,
    { body: { branch: 'fix', commit_message: 'Add it', encoding: 'base64', content: 'w6Q=' } },
    { file_path: 'src/a.ts', branch: 'fix' },
  ],
  [
    'update_file',
    { ...app, file_path: 'a.ts', branch: 'fix', commit_message: 'Mend it', content: 'b', last_commit_id: 'c0ffee' },
    `PUT ${P}/repository/files/a.ts`,
    {
      body: { branch: 'fix', commit_message: 'Mend it', encoding: 'base64', content: 'Yg==', last_commit_id: 'c0ffee' },
    },
    { file_path: 'a.ts', branch: 'fix' },
  ],
  [
    'list_commits',
    { ...app, ref_name: 'fix', path: 'a.ts', since: '2026-01-01T00:00:00Z' },
    `GET ${P}/repository/commits`,
    { query: { ref_name: 'fix', path: 'a.ts', since: '2026-01-01T00:00:00Z', ...paged } },
    [commit],
  ],
  [
    'get_commit',
    { ...app, commit: 'feature/a' },
    `GET ${P}/repository/commits/feature%2Fa`,
    {},
    { ...commit, stats: { total: 2 } },
  ],
  [
    'list_commit_diffs',
    { ...app, commit: 'bbbbbbbb' },
    `GET ${P}/repository/commits/bbbbbbbb/diff`,
    { query: paged },
    [diff],
  ],
  [
    'list_pipelines',
    { ...app, ref: 'main', status: 'failed' },
    `GET ${P}/pipelines`,
    { query: { ref: 'main', status: 'failed', ...paged } },
    [pipeline],
  ],
  ['get_pipeline', { ...app, pipeline_id: 50 }, `GET ${P}/pipelines/50`, {}, { ...pipeline, duration: 12 }],
  [
    'list_pipeline_jobs',
    { ...app, pipeline_id: 50, scope: 'failed' },
    `GET ${P}/pipelines/50/jobs`,
    { query: { scope: 'failed', ...paged } },
    [job],
  ],
  ['run_pipeline', { ...app, ref: 'main' }, `POST ${P}/pipeline`, { body: { ref: 'main' } }, pipeline],
  ['get_job_log', { ...app, job_id: 60 }, `GET ${P}/jobs/60/trace`, {}, 'line 1\nline 2\n'],
  ['retry_job', { ...app, job_id: 60 }, `POST ${P}/jobs/60/retry`, {}, { ...job, id: 61 }],
]

t.test('every tool of GitLab is described, or has an exchange', async t => {
  // Its text is that of get_job_log.
  const covered = new Set([...ROWS.map(([operation]) => operation), 'download_job_log'])
  const left = gitlab.tools.filter(tool => operationOf(gitlab, tool) === undefined && !covered.has(tool.operation))
  t.same(
    left.map(({ operation }) => operation),
    [],
  )
})

for (const [operation, args, line, request, answer, result = answer] of ROWS)
  t.test(`gitlab__${operation} sends and returns what is documented: ${JSON.stringify(args).slice(0, 60)}`, async t => {
    const withNoise = (value: unknown) => (typeof value === 'object' ? { ...value, ...noise } : value)
    // A tool that keeps everything gets nothing else.
    const all = operation === 'create_file' || operation === 'update_file'
    const body = Array.isArray(answer) ? answer.map(withNoise) : all ? answer : withNoise(answer)
    const kept = Array.isArray(result) ? { items: result } : result
    await checkRow(t, gitlab, {}, [operation, args, line, request, body, kept])
  })

t.test('a list continues with the page that the header names, a directory with its token', async t => {
  const next = async (operation: string, link: string) => {
    const list = { operation, args: app }
    const first = await exchange(gitlab, {}, { ...list, answer: { body: [], headers: { link } } })
    const { next_cursor: cursor } = given(first.result) as { next_cursor: string }
    const second = await exchange(gitlab, {}, { operation, args: { ...app, cursor }, answer: { body: [] } })
    t.notOk('next_cursor' in (given(second.result) as object))
    return second.sent.query
  }
  t.match(await next('list_issues', '<https://gitlab.com/api/v4/x?page=2&per_page=20>; rel="next"'), { page: '2' })
  const tree = '<https://gitlab.com/api/v4/x?page=1&page_token=eyJh&pagination=keyset>; rel="next"'
  t.match(await next('list_directory', tree), { page_token: 'eyJh', pagination: 'keyset' })
})

t.test('GitLab’s errors become sentences', async t => {
  const refuse = (status: number, body: unknown) =>
    exchange(gitlab, {}, { operation: 'get_issue', args: { ...app, issue: 4 }, answer: { status, body } })
  t.match((await refuse(400, { message: { title: ['is too long'] } })).error, { message: /title: is too long/ })
  t.match((await refuse(404, { message: '404 Project Not Found' })).error, { message: /Project Not Found/ })
  t.match((await refuse(403, { error: 'insufficient_scope', scope: 'api' })).error, { code: 'scope_missing' })
})
