import { flag, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { fileArgument } from '../../../../services/definitions/file-argument.ts'
import { text as plainText } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { pageSize, pageStart } from '../../paging.ts'
import { instant } from '../../times.ts'
import { branch, listPages, listQuery, project, ref, scopes } from '../arguments.ts'

const REPOSITORY = '/projects/{project}/repository'
const file_path = text('The path from the root, without a leading slash: src/index.ts. From list_directory.', 1024, {
  pattern: '^[^/]+(/[^/]+)*$',
})
const commit = text('The sha of a commit, or a branch or tag.', 255)
const commitFields = 'id short_id title message author_name author_email authored_date parent_ids web_url'
const branchFields = 'name default protected merged web_url commit { id short_id title committed_date }'
const written = {
  branch: branch('The branch to commit to.'),
  commit_message: text('The message of the commit.', 10_000),
  encoding: 'base64',
  content: fileArgument({ what: 'The whole file, at most 25 MiB' }),
}

const getFile = tool(`get_file: GET ${REPOSITORY}/files/{file_path}/raw`, {
  title: 'Read a file',
  description: 'Read the text of a file. To list a directory use list_directory; to search use search_code.',
  scopes,
  path: { project, file_path },
  query: { ref },
  returns: plainText(),
})

const listDirectory = tool(`list_directory: GET ${REPOSITORY}/tree`, {
  title: 'List a directory',
  description: 'List the entries of a directory: a blob is a file, a tree is a directory. Read a file with get_file.',
  scopes,
  path: { project },
  query: {
    path: optional({ ...file_path, description: 'The directory, without a leading slash. Default: the root.' }),
    ref,
    recursive: optional(flag('Include everything below. Default: false.')),
    pagination: 'keyset',
    per_page: pageSize(100, 100),
    page_token: pageStart,
  },
  pagination: { style: 'link', items: '', parameter: 'page_token' },
  keep: 'path type',
})

const createFile = tool(`create_file: POST ${REPOSITORY}/files/{file_path}`, {
  title: 'Create a file',
  description: 'Add a file in one commit. For an existing file use update_file.',
  scopes,
  path: { project, file_path },
  json: written,
})

const updateFile = tool(`update_file: PUT ${REPOSITORY}/files/{file_path}`, {
  title: 'Update a file',
  description: 'Replace a file in one commit. Read it first with get_file, and give the whole new text.',
  scopes,
  path: { project, file_path },
  json: {
    ...written,
    last_commit_id: optional(text('The last known commit of the file: refuses if it has changed since.', 64)),
  },
})

const listBranches = tool(`list_branches: GET ${REPOSITORY}/branches`, {
  title: 'List branches',
  description: 'List or search the branches of a project, with their last commits.',
  scopes,
  path: { project },
  query: {
    search: optional(text('A part of the name. ^ and $ mark its start and end.', 255)),
    sort: optional(oneOf(['name_asc', 'updated_asc', 'updated_desc'], 'Default: name_asc.')),
    ...listQuery,
  },
  pagination: listPages,
  keep: branchFields,
})

const createBranch = tool(`create_branch: POST ${REPOSITORY}/branches`, {
  title: 'Create a branch',
  description: 'Make a branch from another branch or a commit.',
  scopes,
  path: { project },
  query: { branch: branch('The name of the new branch.'), ref: text('The branch or commit to start from.', 255) },
  keep: branchFields,
})

const listCommits = tool(`list_commits: GET ${REPOSITORY}/commits`, {
  title: 'List commits',
  description: 'List the commits of a branch or of a file, the newest first. Changes: list_commit_diffs.',
  scopes,
  path: { project },
  query: {
    ref_name: optional(text('A branch or tag, or a range a..b. Default: the default branch.', 255)),
    path: optional({ ...file_path, description: 'Only commits that change this file or directory.' }),
    author: optional(text('Only commits by this name or email address.', 255)),
    since: optional(instant('Only commits after this time.')),
    until: optional(instant('Only commits before this time.')),
    ...listQuery,
  },
  pagination: listPages,
  keep: commitFields,
})

const getCommit = tool(`get_commit: GET ${REPOSITORY}/commits/{commit}`, {
  title: 'Get a commit',
  description: 'Read one commit: message, author, parents and the number of changed lines.',
  scopes,
  path: { project, commit },
  keep: `${commitFields} committer_name committed_date stats { additions deletions total } status`,
})

const listCommitDiffs = tool(`list_commit_diffs: GET ${REPOSITORY}/commits/{commit}/diff`, {
  title: 'List the changes of a commit',
  description: 'List the changed files of a commit with their diffs.',
  scopes,
  path: { project, commit },
  query: listQuery,
  pagination: listPages,
  keep: 'old_path new_path new_file renamed_file deleted_file diff',
})

/** GitLab's tools for repositories. */
export const repositoryTools = [
  getFile,
  listDirectory,
  createFile,
  updateFile,
  listBranches,
  createBranch,
  listCommits,
  getCommit,
  listCommitDiffs,
]
