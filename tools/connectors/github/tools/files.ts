import { Type } from '@sinclair/typebox'
import { each, either, list, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { fileArgument } from '../../../../services/definitions/file-argument.ts'
import { done, file, text as plainText } from '../../../../services/definitions/http-tool.ts'
import { tool, triggers } from '../../../../services/definitions/tool.ts'
import { instant } from '../../shared-arguments.ts'
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

const CONTENTS = `${REPOSITORY}/contents/{+path}`
const RAW = { accept: 'application/vnd.github.raw+json' } as const
const message = text('The commit message.', 65_536)
const whole = fileArgument({ what: 'The whole file, at most 25 MiB' })
const change = Type.Object(
  {
    path: path(),
    content: whole,
    mode: optional(
      oneOf(
        ['100644', '100755'],
        '100755 for an executable file. Default: 100644, even if the file was executable: give its mode from list_files.',
      ),
    ),
  },
  { additionalProperties: false },
)

/** GitHub tools for commits, branches, tags and files. */
export const fileTools = [
  tool('search_commits: GET /search/commits', {
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
  }),

  tool(`list_commits: GET ${REPOSITORY}/commits`, {
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
  }),

  tool(`get_commit: GET ${REPOSITORY}/commits/{ref}`, {
    title: 'Get a commit',
    description: 'Read one commit: message, author, parents, and its changed files with their patches, at most 300.',
    scopes,
    path: { ...repository, ref: ref('A commit, from list_commits; or a branch or tag, for its newest commit.') },
    keep: `${commitFields} parents { sha } stats { additions deletions } files { ${changes} }`,
  }),

  tool(`compare_commits: GET ${REPOSITORY}/compare/{base}...{head}`, {
    title: 'Compare branches or commits',
    description:
      'Compare two branches, tags or commits: how far head is ahead and behind, its commits since base, at most 250, ' +
      'and the changed files with their patches, at most 300.',
    scopes,
    path: {
      ...repository,
      base: ref('The branch, tag or commit to compare with: main.'),
      head: ref('The branch, tag or commit with the changes. For a fork, include its owner: mona:new-feature.'),
    },
    keep: `status ahead_by behind_by total_commits html_url merge_base_commit { sha } commits { ${commitFields} }
    files { ${changes} }`,
  }),

  tool(`list_branches: GET ${REPOSITORY}/branches`, {
    title: 'List branches',
    description: 'List the branches of a repository: name, newest commit, and whether it is protected.',
    scopes,
    path: repository,
    query: listQuery,
    pagination: listPages,
    keep: 'name commit { sha } protected',
  }),

  tool(`create_branch: POST ${REPOSITORY}/git/refs`, {
    title: 'Create a branch',
    description: 'Create a branch at a commit. list_branches returns the sha of each branch.',
    scopes,
    path: { ...repository, branch: name('The name of the new branch: feature/search.') },
    json: { ref: 'refs/heads/{branch}', sha: sha('The commit to start from, all 40 digits.') },
    keep: 'ref object { sha }',
  }),

  tool(`delete_branch: DELETE ${REPOSITORY}/git/refs/heads%2F{branch}`, {
    title: 'Delete a branch',
    description: 'Delete a branch, such as one that was merged. Pull requests from it are closed.',
    scopes,
    path: { ...repository, branch: name('The branch, from list_branches.') },
    returns: done('Deleted the branch {branch}.'),
  }),

  tool(`list_tags: GET ${REPOSITORY}/tags`, {
    title: 'List tags',
    description: 'List the tags of a repository with their commits. For releases with notes use list_releases.',
    scopes,
    path: repository,
    query: listQuery,
    pagination: listPages,
    keep: 'name commit { sha }',
  }),

  tool(`create_tag: POST ${REPOSITORY}/git/refs`, {
    title: 'Create a tag',
    description: 'Tag a commit. To publish notes and files with it, use create_release, which makes the tag itself.',
    scopes,
    path: { ...repository, tag: name('The name of the new tag: v1.2.0.') },
    json: { ref: 'refs/tags/{tag}', sha: sha('The commit, all 40 digits, from list_commits or list_branches.') },
    keep: 'ref object { sha }',
  }),

  tool('search_code: GET /search/code', {
    title: 'Search code',
    description:
      'Search the text of files on default branches. The query needs at least one word besides qualifiers. Example: ' +
      'createServer repo:octo-org/app language:typescript path:src. Returns path, repository and the matching ' +
      'lines. Read a file with get_file_contents. GitHub allows 10 searches per minute.',
    scopes,
    headers: { accept: 'application/vnd.github.text-match+json' },
    query: {
      q: named('query', text('Words and qualifiers: repo:, org:, path:, language:, extension:, filename:.', 256)),
      ...listQuery,
    },
    pagination: searchPages,
    keep: 'path repository { full_name } html_url sha text_matches { fragment }',
  }),

  tool(`get_file_contents: GET ${CONTENTS}`, {
    title: 'Read a file',
    description:
      'Read the text of a file, a PDF too. To list a directory or get the sha of a file, use get_directory. For ' +
      'other binary files use download_file. To get all files, use download_archive.',
    scopes,
    headers: RAW,
    path: { ...repository, path: path() },
    query: { ref: optional(ref()) },
    returns: plainText(),
  }),

  tool(`download_file: GET ${CONTENTS}`, {
    title: 'Download a file',
    description:
      'Download one file of any type, at most 100 MB. Returns a temporary link. To read a text use get_file_contents.',
    scopes,
    headers: RAW,
    path: { ...repository, path: path() },
    query: { ref: optional(ref()) },
    returns: file('{path}'),
  }),

  tool(`get_directory: GET ${CONTENTS}`, {
    title: 'List a directory',
    description:
      'List the entries of a directory: name, path, type, size and sha, at most 1000. For a file, get its size and ' +
      'its sha, which create_or_update_file and delete_file need. For everything below it use list_files.',
    scopes,
    headers: { accept: 'application/vnd.github.object+json' },
    path: { ...repository, path: optional(path('Default: the root.')) },
    query: { ref: optional(ref()) },
    keep: 'type path size sha entries { name path type size sha }',
  }),

  tool(`list_files: GET ${REPOSITORY}/git/trees/{ref}`, {
    title: 'List all files',
    description: 'List all files and directories of a repository with their paths, sizes and modes. A blob is a file.',
    scopes,
    path: { ...repository, ref: ref('A branch, a tag or a commit. HEAD is the default branch.') },
    query: { recursive: '1' },
    at: '/tree',
    keep: 'path type mode size',
  }),

  tool(`create_or_update_file: PUT ${CONTENTS}`, {
    title: 'Write a file',
    description:
      'Write one file in one commit. To replace a file, give its sha (from get_directory); without it, GitHub ' +
      'rejects a write to an existing file. For several files in one commit use commit_files. Files under ' +
      '.github/workflows need the scope "workflow". Returns the commit.',
    annotations: triggers,
    scopes,
    path: { ...repository, path: path() },
    json: {
      message,
      content: whole,
      branch: optional(name('The branch to commit to. Default: the default branch.')),
      sha: optional(sha('The sha of the file to replace.')),
    },
    keep: 'content { path sha html_url } commit { sha html_url }',
  }),

  tool(`delete_file: DELETE ${CONTENTS}`, {
    title: 'Delete a file',
    description: 'Delete one file in one commit. For several files use commit_files. Returns the commit.',
    annotations: triggers,
    scopes,
    path: { ...repository, path: path() },
    json: {
      message,
      sha: sha('The sha of the file, from get_directory.'),
      branch: optional(name('The branch to commit to. Default: the default branch.')),
    },
    keep: 'commit { sha html_url }',
  }),

  tool(`commit_files: PATCH ${REPOSITORY}/git/refs/heads%2F{branch}`, {
    title: 'Commit several files',
    description:
      'Write and delete several files of a branch in one commit. Fails without any effect if somebody commits to the ' +
      'branch at the same time. Files under .github/workflows need the scope "workflow". Returns the commit.',
    annotations: triggers,
    scopes,
    path: {
      ...repository,
      branch: name('The branch to commit to, from list_branches or create_branch.'),
      files: optional(list(change, 'The files to write. Each replaces the file at its path.', 30)),
      delete: optional(list(path(), 'The paths of files to delete.', 100)),
    },
    steps: [
      {
        step: 'base: GET /repos/{owner}/{repo}/branches/{branch}',
        keep: { sha: '/commit/sha', tree: '/commit/commit/tree/sha' },
      },
      {
        step: 'blob: POST /repos/{owner}/{repo}/git/blobs',
        each: 'files',
        json: { content: '{item.content}', encoding: 'base64' },
        keep: { sha: '/sha' },
        writes: false,
      },
      {
        step: 'tree: POST /repos/{owner}/{repo}/git/trees',
        json: {
          base_tree: '{base.tree}',
          tree: [
            each('blob', {
              path: '{item.path}',
              mode: either('{item.mode}', '100644'),
              type: 'blob',
              sha: '{item.sha}',
            }),
            each('delete', { path: '{item}', mode: '100644', type: 'blob', sha: null }),
          ],
        },
        keep: { sha: '/sha' },
        writes: false,
      },
      {
        step: 'commit: POST /repos/{owner}/{repo}/git/commits',
        json: { message, tree: '{tree.sha}', parents: ['{base.sha}'] },
        keep: { sha: '/sha' },
        writes: false,
      },
    ],
    json: { sha: '{commit.sha}', force: false },
    needsOneOf: ['files', 'delete'],
    keep: 'ref object { sha }',
  }),

  tool(`download_archive: GET ${REPOSITORY}/zipball/{ref}`, {
    title: 'Download a repository',
    description: 'Download all files of a repository at one commit as a zip. Returns a temporary link.',
    scopes,
    path: { ...repository, ref: ref('A branch, a tag or a commit. HEAD is the default branch.') },
    returns: file('{owner}-{repo}.zip'),
  }),
]
