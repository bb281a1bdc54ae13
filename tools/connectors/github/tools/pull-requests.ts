import { flag, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { text as plainText } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { sets } from '../../annotations.ts'
import { pageSize } from '../../paging.ts'
import {
  direction,
  listPages,
  listQuery,
  markdown,
  name,
  number,
  REPOSITORY,
  repository,
  scopes,
  sha,
  title,
} from '../arguments.ts'

const PULL_REQUEST = `${REPOSITORY}/pulls/{pull_number}`
const path = { ...repository, pull_number: number('pull request') }
const pullRequestFields = `number title state draft html_url user { login } head { ref sha } base { ref } labels { name }
  created_at updated_at`

const listPullRequests = tool(`list_pull_requests: GET ${REPOSITORY}/pulls`, {
  title: 'List pull requests',
  description:
    'List the pull requests of one repository, newest first: number, title, state, branches, author and dates. ' +
    'To find those of a person or across repositories, use search_issues with is:pull-request.',
  scopes,
  path: repository,
  query: {
    state: optional({ ...oneOf(['open', 'closed', 'all'], 'Default: open.'), default: 'open' }),
    head: optional(name('Only pull requests from this branch, with its owner: octo-org:new-feature.')),
    base: optional(name('Only pull requests into this branch: main.')),
    sort: optional(oneOf(['created', 'updated', 'popularity', 'long-running'])),
    direction,
    ...listQuery,
  },
  pagination: listPages,
  keep: pullRequestFields,
})

const getPullRequest = tool(`get_pull_request: GET ${PULL_REQUEST}`, {
  title: 'Get a pull request',
  description:
    'Read one pull request: text, branches, reviewers, size, and whether it can be merged. If mergeable is null, GitHub ' +
    'is still computing it: call again. For its files use list_pull_request_files.',
  scopes,
  path,
  keep: `${pullRequestFields} body merged merged_at mergeable mergeable_state requested_reviewers { login }
    requested_teams { slug } assignees { login } commits additions deletions changed_files`,
})

const listPullRequestFiles = tool(`list_pull_request_files: GET ${PULL_REQUEST}/files`, {
  title: 'List the files of a pull request',
  description:
    'List the files that a pull request changes: name, status, lines added and deleted, and the patch (omitted if it ' +
    'is large or binary). At most 3000 files.',
  scopes,
  path,
  query: { ...listQuery, per_page: pageSize(10, 100) },
  pagination: listPages,
  keep: 'filename previous_filename status additions deletions patch',
})

const getPullRequestDiff = tool(`get_pull_request_diff: GET ${PULL_REQUEST}`, {
  title: 'Read the diff of a pull request',
  description: 'Read all changes of a pull request as one unified diff, up to 20,000 lines and 300 files.',
  scopes,
  headers: { accept: 'application/vnd.github.diff' },
  path,
  returns: plainText(),
})

const listPullRequestCommits = tool(`list_pull_request_commits: GET ${PULL_REQUEST}/commits`, {
  title: 'List the commits of a pull request',
  description:
    'List the commits of a pull request, oldest first, at most 250. Read the changes of one with get_commit.',
  scopes,
  path,
  query: listQuery,
  pagination: listPages,
  keep: 'sha html_url commit { message author { name date } } author { login }',
})

const createPullRequest = tool(`create_pull_request: POST ${REPOSITORY}/pulls`, {
  title: 'Open a pull request',
  description:
    'Open a pull request from a branch that exists on GitHub. Returns its number and URL. Fails if one is already open ' +
    'between the same branches.',
  scopes,
  path: repository,
  json: {
    title: title('The title, on one line.'),
    head: name('The branch with the changes. For a fork, include its owner: mona:new-feature.'),
    base: name('The branch to merge into: main.'),
    body: optional(markdown('What it does and why.')),
    draft: optional(flag('Whether to open it as a draft.')),
    maintainer_can_modify: optional(flag('Whether maintainers can push to the branch of a fork.')),
  },
  keep: 'number title state draft html_url head { ref } base { ref } created_at',
})

const updatePullRequest = tool(`update_pull_request: PATCH ${PULL_REQUEST}`, {
  title: 'Update a pull request',
  description:
    'Update the title, text or base branch of a pull request, close it or reopen it. Omitted fields stay unchanged. For ' +
    'labels, assignees and milestone use update_issue.',
  scopes,
  path,
  json: {
    title: optional(title('The title, on one line.')),
    body: optional(markdown('The full new text.')),
    state: optional(oneOf(['open', 'closed'])),
    base: optional(name('The branch to merge into.')),
    maintainer_can_modify: optional(flag('Whether maintainers can push to the branch of a fork.')),
  },
  keep: pullRequestFields,
})

const updatePullRequestBranch = tool(`update_pull_request_branch: PUT ${PULL_REQUEST}/update-branch`, {
  title: 'Update the branch of a pull request',
  description: 'Merge the newest commits of the base branch into the branch of a pull request. It takes some seconds.',
  annotations: sets,
  scopes,
  path,
  json: {
    expected_head_sha: named('head_sha', sha('The head.sha of get_pull_request: fails if the branch has moved.')),
  },
  keep: 'message',
})

const mergePullRequest = tool(`merge_pull_request: PUT ${PULL_REQUEST}/merge`, {
  title: 'Merge a pull request',
  description:
    'Merge a pull request into its base branch. Give sha (head.sha of get_pull_request) to prevent the merge of ' +
    'unreviewed commits. Returns the merge commit.',
  scopes,
  path,
  json: {
    merge_method: optional({ ...oneOf(['merge', 'squash', 'rebase'], 'Default: merge.'), default: 'merge' }),
    commit_title: optional(title()),
    commit_message: optional(text('', 65_536, { min: 0 })),
    sha: optional(sha('Merge only if this is the head of the pull request.')),
  },
  needsOneOf: [],
  keep: 'merged message sha',
})

/** GitHub tools for pull requests. */
export const pullRequestTools = [
  listPullRequests,
  getPullRequest,
  listPullRequestFiles,
  getPullRequestDiff,
  listPullRequestCommits,
  createPullRequest,
  updatePullRequest,
  updatePullRequestBranch,
  mergePullRequest,
]
