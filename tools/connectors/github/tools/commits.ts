import { optional, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { instant } from '../../times.ts'
import {
  listPages,
  listQuery,
  name,
  path,
  REPOSITORY,
  ref,
  repository,
  scopes,
  searchPages,
  searchQuery,
  sha,
} from '../arguments.ts'

const commitFields = 'sha html_url commit { message author { name date } } author { login }'
const changes = 'filename previous_filename status additions deletions patch'

const searchCommits = tool('search_commits: GET /search/commits', {
  title: 'Search commits',
  description:
    'Search the messages of commits on default branches. Example: repo:octo-org/app author:mona fix login. For the ' +
    'commits of one branch or file use list_commits.',
  scopes,
  query: searchQuery('repo:, org:, author:, author-date:>2026-01-01, merge:false, hash:.', [
    'author-date',
    'committer-date',
  ]),
  pagination: searchPages,
  keep: `${commitFields} repository { full_name }`,
})

const listCommits = tool(`list_commits: GET ${REPOSITORY}/commits`, {
  title: 'List commits',
  description: 'List commits, newest first: sha, message, author and date. Filter by branch, path, author or time.',
  scopes,
  path: repository,
  query: {
    sha: optional(ref('The branch, tag or commit to start from.')),
    path: optional({ ...path(), description: 'Only commits that touch this file or directory.' }),
    author: optional(text('A login or an email address.', 254)),
    since: optional(instant('Only commits after this time.')),
    until: optional(instant('Only commits before this time.')),
    ...listQuery,
  },
  pagination: listPages,
  keep: commitFields,
})

const getCommit = tool(`get_commit: GET ${REPOSITORY}/commits/{ref}`, {
  title: 'Get a commit',
  description: 'Read one commit: message, author, parents, and its changed files with their patches, at most 300.',
  scopes,
  path: { ...repository, ref: ref('A commit, from list_commits; or a branch or tag, for its newest commit.') },
  keep: `${commitFields} parents { sha } stats { additions deletions } files { ${changes} }`,
})

const compareCommits = tool(`compare_commits: GET ${REPOSITORY}/compare/{base}...{head}`, {
  title: 'Compare branches or commits',
  description:
    'Compare two branches, tags or commits: how far head is ahead and behind, its commits since base, at most 250, and ' +
    'the changed files with their patches, at most 300.',
  scopes,
  path: {
    ...repository,
    base: ref('The branch, tag or commit to compare with: main.'),
    head: ref('The branch, tag or commit with the changes. For a fork, include its owner: mona:new-feature.'),
  },
  keep: `status ahead_by behind_by total_commits html_url merge_base_commit { sha } commits { ${commitFields} }
    files { ${changes} }`,
})

const listBranches = tool(`list_branches: GET ${REPOSITORY}/branches`, {
  title: 'List branches',
  description: 'List the branches of a repository: name, newest commit, and whether it is protected.',
  scopes,
  path: repository,
  query: listQuery,
  pagination: listPages,
  keep: 'name commit { sha } protected',
})

const createBranch = tool(`create_branch: POST ${REPOSITORY}/git/refs`, {
  title: 'Create a branch',
  description: 'Create a branch at a commit. list_branches returns the sha of each branch.',
  scopes,
  path: { ...repository, branch: name('The name of the new branch: feature/search.') },
  json: { ref: 'refs/heads/{branch}', sha: sha('The commit to start from, all 40 digits.') },
  keep: 'ref object { sha }',
})

const deleteBranch = tool(`delete_branch: DELETE ${REPOSITORY}/git/refs/heads%2F{branch}`, {
  title: 'Delete a branch',
  description: 'Delete a branch, such as one that was merged. Pull requests from it are closed.',
  scopes,
  path: { ...repository, branch: name('The branch, from list_branches.') },
  returns: done('Deleted the branch {branch}.'),
})

const listTags = tool(`list_tags: GET ${REPOSITORY}/tags`, {
  title: 'List tags',
  description: 'List the tags of a repository with their commits. For releases with notes use list_releases.',
  scopes,
  path: repository,
  query: listQuery,
  pagination: listPages,
  keep: 'name commit { sha }',
})

const createTag = tool(`create_tag: POST ${REPOSITORY}/git/refs`, {
  title: 'Create a tag',
  description: 'Tag a commit. To publish notes and files with it, use create_release, which makes the tag itself.',
  scopes,
  path: { ...repository, tag: name('The name of the new tag: v1.2.0.') },
  json: { ref: 'refs/tags/{tag}', sha: sha('The commit, all 40 digits, from list_commits or list_branches.') },
  keep: 'ref object { sha }',
})

/** GitHub tools for commits, branches and tags. */
export const commitTools = [
  searchCommits,
  listCommits,
  getCommit,
  compareCommits,
  listBranches,
  createBranch,
  deleteBranch,
  listTags,
  createTag,
]
