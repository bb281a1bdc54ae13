import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../../../schemas/string-enum.ts'
import { httpTool, pick, sameNames } from '../../../../services/definitions/http-tool.ts'
import { adds, reads } from '../../annotations.ts'
import { instant } from '../../times.ts'
import { branch, listQuery, page, path, ref, repository, searchQuery } from '../arguments.ts'

const repositoryFields = [
  'full_name',
  'description',
  'html_url',
  'private',
  'fork',
  'archived',
  'default_branch',
  'language',
  'stargazers_count',
  'open_issues_count',
  'pushed_at',
]

const searchRepositories = httpTool({
  operation: 'search_repositories',
  title: 'Search repositories',
  description:
    'Search repositories by words and qualifiers. Example: org:octo-org language:typescript gateway in:name,description. ' +
    'Returns full name, description, language, stars and default branch.',
  annotations: reads,
  scopes: ['repo'],
  input: {
    query: searchQuery('Words and qualifiers: user:, org:, language:, topic:, stars:>100, pushed:>2026-01-01.'),
    sort: Type.Optional(StringEnum(['stars', 'forks', 'updated'], { description: 'Default: best match.' })),
    order: Type.Optional(StringEnum(['asc', 'desc'])),
    ...page,
  },
  request: {
    method: 'GET',
    path: '/search/repositories',
    query: { q: '{query}', sort: '{sort}', order: '{order}', ...listQuery },
  },
  pagination: { style: 'link', items: '/items' },
  result: pick('/items', repositoryFields),
})

const listRepositories = httpTool({
  operation: 'list_repositories',
  title: 'List your repositories',
  description:
    'List the repositories that you own, collaborate on or access through an organization, including private ones.',
  annotations: reads,
  scopes: ['repo'],
  input: {
    visibility: Type.Optional(StringEnum(['all', 'public', 'private'])),
    sort: Type.Optional(StringEnum(['created', 'updated', 'pushed', 'full_name'])),
    direction: Type.Optional(StringEnum(['asc', 'desc'])),
    ...page,
  },
  request: {
    method: 'GET',
    path: '/user/repos',
    query: { ...sameNames('visibility', 'sort', 'direction'), ...listQuery },
  },
  pagination: { style: 'link', items: '' },
  result: pick('', repositoryFields),
})

const listCommits = httpTool({
  operation: 'list_commits',
  title: 'List commits',
  description: 'List commits, newest first: sha, message, author and date. Filter by branch, path, author or time.',
  annotations: reads,
  scopes: ['repo'],
  input: {
    ...repository,
    sha: Type.Optional({ ...ref, description: 'The branch, tag or commit to start from.' }),
    path: Type.Optional({ ...path, description: 'Only commits that touch this file or directory.' }),
    author: Type.Optional(Type.String({ minLength: 1, maxLength: 254, description: 'A login or an email address.' })),
    since: Type.Optional(instant('Only commits after this time.')),
    until: Type.Optional(instant('Only commits before this time.')),
    ...page,
  },
  request: {
    method: 'GET',
    path: '/repos/{owner}/{repo}/commits',
    query: { ...sameNames('sha', 'path', 'author', 'since', 'until'), ...listQuery },
  },
  pagination: { style: 'link', items: '' },
  result: pick('', ['sha', 'html_url', 'commit.message', 'commit.author.name', 'commit.author.date', 'author.login']),
})

const listBranches = httpTool({
  operation: 'list_branches',
  title: 'List branches',
  description: 'List the branches of a repository: name, newest commit, and whether it is protected.',
  annotations: reads,
  scopes: ['repo'],
  input: { ...repository, ...page },
  request: {
    method: 'GET',
    path: '/repos/{owner}/{repo}/branches',
    query: listQuery,
  },
  pagination: { style: 'link', items: '' },
  result: pick('', ['name', 'commit.sha', 'protected']),
})

const createBranch = httpTool({
  operation: 'create_branch',
  title: 'Create a branch',
  description: 'Create a branch at a commit. list_branches returns the sha of each branch.',
  annotations: adds,
  scopes: ['repo'],
  input: {
    ...repository,
    branch: branch('The name of the new branch: feature/search.'),
    sha: Type.String({ pattern: '^[0-9a-f]{40}$', description: 'The commit to start from, all 40 digits.' }),
  },
  request: {
    method: 'POST',
    path: '/repos/{owner}/{repo}/git/refs',
    body: { json: { ref: 'refs/heads/{branch}', sha: '{sha}' } },
  },
  result: pick('', ['ref', 'object.sha']),
})

/** GitHub tools for repositories, branches and commits. */
export const repositoryTools = [searchRepositories, listRepositories, listCommits, listBranches, createBranch]
