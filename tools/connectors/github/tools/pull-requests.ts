import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../../../schemas/string-enum.ts'
import { httpTool, pick, sameNames, text } from '../../../../services/definitions/http-tool.ts'
import { adds, overwrites, reads } from '../../annotations.ts'
import { cursor, limit } from '../../paging.ts'
import { branch, listQuery, markdown, number, page, repository } from '../arguments.ts'

const pullRequestFields = [
  'number',
  'title',
  'state',
  'draft',
  'html_url',
  'user.login',
  'head.ref',
  'head.sha',
  'base.ref',
  'labels.name',
  'created_at',
  'updated_at',
]

const listPullRequests = httpTool({
  operation: 'list_pull_requests',
  title: 'List pull requests',
  description:
    'List the pull requests of one repository, newest first: number, title, state, branches, author and dates. ' +
    'To find those of a person or across repositories, use search_issues with is:pull-request.',
  annotations: reads,
  scopes: ['repo'],
  input: {
    ...repository,
    state: Type.Optional(StringEnum(['open', 'closed', 'all'], { default: 'open', description: 'Default: open.' })),
    head: Type.Optional(branch('Only pull requests from this branch, with its owner: octo-org:new-feature.')),
    base: Type.Optional(branch('Only pull requests into this branch: main.')),
    sort: Type.Optional(StringEnum(['created', 'updated', 'popularity', 'long-running'])),
    direction: Type.Optional(StringEnum(['asc', 'desc'])),
    ...page,
  },
  request: {
    method: 'GET',
    path: '/repos/{owner}/{repo}/pulls',
    query: { ...sameNames('state', 'head', 'base', 'sort', 'direction'), ...listQuery },
  },
  pagination: { style: 'link', items: '' },
  result: pick('', pullRequestFields),
})

const getPullRequest = httpTool({
  operation: 'get_pull_request',
  title: 'Get a pull request',
  description:
    'Read one pull request: text, branches, reviewers, size, and whether it can be merged. If mergeable is null, GitHub ' +
    'is still computing it: call again. For its files use list_pull_request_files.',
  annotations: reads,
  scopes: ['repo'],
  input: { ...repository, pull_number: number('pull request') },
  request: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/{pull_number}' },
  result: pick('', [
    ...pullRequestFields,
    'body',
    'merged',
    'merged_at',
    'mergeable',
    'mergeable_state',
    'requested_reviewers.login',
    'assignees.login',
    'commits',
    'additions',
    'deletions',
    'changed_files',
  ]),
})

const listPullRequestFiles = httpTool({
  operation: 'list_pull_request_files',
  title: 'List the files of a pull request',
  description:
    'List the files that a pull request changes: name, status, lines added and deleted, and the patch (omitted if it ' +
    'is large or binary). At most 3000 files.',
  annotations: reads,
  scopes: ['repo'],
  input: { ...repository, pull_number: number('pull request'), limit: limit({ max: 100, default: 10 }), cursor },
  request: {
    method: 'GET',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}/files',
    query: listQuery,
  },
  pagination: { style: 'link', items: '' },
  result: pick('', ['filename', 'previous_filename', 'status', 'additions', 'deletions', 'patch']),
})

const getPullRequestDiff = httpTool({
  operation: 'get_pull_request_diff',
  title: 'Read the diff of a pull request',
  description: 'Read all changes of a pull request as one unified diff, up to 20,000 lines and 300 files.',
  annotations: reads,
  scopes: ['repo'],
  input: { ...repository, pull_number: number('pull request') },
  request: {
    method: 'GET',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}',
    headers: { accept: 'application/vnd.github.diff' },
  },
  result: text(),
})

const createPullRequest = httpTool({
  operation: 'create_pull_request',
  title: 'Open a pull request',
  description:
    'Open a pull request from a branch that exists on GitHub. Returns its number and URL. Fails if one is already open ' +
    'between the same branches.',
  annotations: adds,
  scopes: ['repo'],
  input: {
    ...repository,
    title: Type.String({ minLength: 1, maxLength: 256, description: 'The title, on one line.' }),
    head: branch('The branch with the changes. For a fork, include its owner: mona:new-feature.'),
    base: branch('The branch to merge into: main.'),
    body: Type.Optional(markdown('What it does and why.')),
    draft: Type.Optional(Type.Boolean({ description: 'Whether to open it as a draft.' })),
    maintainer_can_modify: Type.Optional(
      Type.Boolean({ description: 'Whether maintainers can push to the branch of a fork.' }),
    ),
  },
  request: {
    method: 'POST',
    path: '/repos/{owner}/{repo}/pulls',
    body: {
      json: sameNames('title', 'head', 'base', 'body', 'draft', 'maintainer_can_modify'),
    },
  },
  result: pick('', ['number', 'title', 'state', 'draft', 'html_url', 'head.ref', 'base.ref', 'created_at']),
})

const createReview = httpTool({
  operation: 'create_review',
  title: 'Review a pull request',
  description:
    'Review a pull request: approve it, request changes, or comment. REQUEST_CHANGES and COMMENT need body. You cannot ' +
    'approve your own pull request.',
  annotations: adds,
  scopes: ['repo'],
  input: {
    ...repository,
    pull_number: number('pull request'),
    event: StringEnum(['APPROVE', 'REQUEST_CHANGES', 'COMMENT']),
    body: Type.Optional(markdown('The text of the review.')),
  },
  request: {
    method: 'POST',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}/reviews',
    body: { json: sameNames('event', 'body') },
  },
  result: pick('', ['id', 'state', 'html_url', 'user.login', 'submitted_at']),
})

const mergePullRequest = httpTool({
  operation: 'merge_pull_request',
  title: 'Merge a pull request',
  description:
    'Merge a pull request into its base branch. Give sha (head.sha of get_pull_request) to prevent the merge of ' +
    'unreviewed commits. Returns the merge commit.',
  annotations: overwrites,
  scopes: ['repo'],
  input: {
    ...repository,
    pull_number: number('pull request'),
    merge_method: Type.Optional(
      StringEnum(['merge', 'squash', 'rebase'], { default: 'merge', description: 'Default: merge.' }),
    ),
    commit_title: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    commit_message: Type.Optional(Type.String({ maxLength: 65536 })),
    sha: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{40}$',
        description: 'Merge only if this is the head of the pull request.',
      }),
    ),
  },
  request: {
    method: 'PUT',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}/merge',
    body: {
      json: sameNames('merge_method', 'commit_title', 'commit_message', 'sha'),
    },
  },
  result: pick('', ['merged', 'message', 'sha']),
})

/** GitHub tools for pull requests. */
export const pullRequestTools = [
  listPullRequests,
  getPullRequest,
  listPullRequestFiles,
  getPullRequestDiff,
  createPullRequest,
  createReview,
  mergePullRequest,
]
