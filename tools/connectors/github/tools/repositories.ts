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
    'Answers with full name, description, language, stars and default branch.',
  annotations: reads,
  scopes: ['repo'],
  input: {
    query: searchQuery('Words and qualifiers: user:, org:, language:, topic:, stars:>100, pushed:>2026-01-01.'),
    sort: Type.Optional(StringEnum(['stars', 'forks', 'updated'], { description: 'Best match when left out.' })),
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
  description: 'List the repositories you own, work on or reach through an organization, private ones too.',
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
  description: 'List commits, the newest first: sha, message, author and date. Narrow by branch, path, author or time.',
  annotations: reads,
  scopes: ['repo'],
  input: {
    ...repository,
    sha: Type.Optional({ ...ref, description: 'Begin at this branch, tag or commit.' }),
    path: Type.Optional({ ...path, description: 'Only commits that touch this file or directory.' }),
    author: Type.Optional(Type.String({ minLength: 1, maxLength: 254, description: 'A login or an e-mail address.' })),
    since: Type.Optional(instant('Only commits after.')),
    until: Type.Optional(instant('Only commits before.')),
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
  description: 'Make a branch that begins at a commit. The sha of another branch comes from list_branches.',
  annotations: adds,
  scopes: ['repo'],
  input: {
    ...repository,
    branch: branch('The name of the new branch: feature/search.'),
    sha: Type.String({ pattern: '^[0-9a-f]{40}$', description: 'The commit it begins at, all 40 digits.' }),
  },
  request: {
    method: 'POST',
    path: '/repos/{owner}/{repo}/git/refs',
    body: { json: { ref: 'refs/heads/{branch}', sha: '{sha}' } },
  },
  result: pick('', ['ref', 'object.sha']),
})

/** GitHub's repositories: their branches and commits. */
export const repositoryTools = [searchRepositories, listRepositories, listCommits, listBranches, createBranch]
