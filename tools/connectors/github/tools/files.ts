import { Type } from '@sinclair/typebox'
import { fileArgument } from '../../../../services/definitions/file-argument.ts'
import { file, httpTool, pick, sameNames, text } from '../../../../services/definitions/http-tool.ts'
import { overwrites, reads } from '../../annotations.ts'
import { branch, listQuery, page, path, ref, repository, searchQuery } from '../arguments.ts'

const searchCode = httpTool({
  operation: 'search_code',
  title: 'Search code',
  description:
    'Search the text of files on default branches. The query needs at least one word besides qualifiers. Example: ' +
    'createServer repo:octo-org/app language:typescript path:src. Returns path, repository and the matching ' +
    'lines. Read a file with get_file_contents. GitHub allows 10 searches per minute.',
  annotations: reads,
  scopes: ['repo'],
  input: {
    query: searchQuery('Words and qualifiers: repo:, org:, path:, language:, extension:, filename:.'),
    ...page,
  },
  request: {
    method: 'GET',
    path: '/search/code',
    query: { q: '{query}', ...listQuery },
    headers: { accept: 'application/vnd.github.text-match+json' },
  },
  pagination: { style: 'link', items: '/items' },
  result: pick('/items', ['path', 'repository.full_name', 'html_url', 'sha', 'text_matches.fragment']),
})

const getFileContents = httpTool({
  operation: 'get_file_contents',
  title: 'Read a file',
  description:
    'Read the text of a file. To list a directory or get the sha of a file, use get_directory. To get all files, use ' +
    'download_archive.',
  annotations: reads,
  scopes: ['repo'],
  input: { ...repository, path, ref: Type.Optional(ref) },
  request: {
    method: 'GET',
    path: '/repos/{owner}/{repo}/contents/{+path}',
    query: { ref: '{ref}' },
    headers: { accept: 'application/vnd.github.raw+json' },
  },
  result: text(),
})

const getDirectory = httpTool({
  operation: 'get_directory',
  title: 'List a directory',
  description:
    'List the entries of a directory: name, path, type, size and sha, at most 1000. For a file, get its size and its ' +
    'sha, which create_or_update_file needs.',
  annotations: reads,
  scopes: ['repo'],
  input: {
    ...repository,
    path: Type.Optional({ ...path, description: `${path.description} Default: the root.` }),
    ref: Type.Optional(ref),
  },
  request: {
    method: 'GET',
    path: '/repos/{owner}/{repo}/contents/{+path}',
    query: { ref: '{ref}' },
    headers: { accept: 'application/vnd.github.object+json' },
  },
  result: pick('', [
    'type',
    'path',
    'size',
    'sha',
    'entries.name',
    'entries.path',
    'entries.type',
    'entries.size',
    'entries.sha',
  ]),
})

const createOrUpdateFile = httpTool({
  operation: 'create_or_update_file',
  title: 'Write a file',
  description:
    'Write one file in one commit. To replace a file, give its sha (from get_directory); without it, GitHub rejects a ' +
    'write to an existing file. Files under .github/workflows need the scope "workflow". Returns the commit.',
  annotations: overwrites,
  scopes: ['repo'],
  input: {
    ...repository,
    path,
    message: Type.String({ minLength: 1, maxLength: 65536, description: 'The commit message.' }),
    content: fileArgument({ what: 'The whole file, at most 25 MiB' }),
    branch: Type.Optional(branch('The branch to commit to. Default: the default branch.')),
    sha: Type.Optional(Type.String({ pattern: '^[0-9a-f]{40}$', description: 'The sha of the file to replace.' })),
  },
  request: {
    method: 'PUT',
    path: '/repos/{owner}/{repo}/contents/{+path}',
    body: { json: sameNames('message', 'content', 'branch', 'sha') },
  },
  result: pick('', ['content.path', 'content.sha', 'content.html_url', 'commit.sha', 'commit.html_url']),
})

const downloadArchive = httpTool({
  operation: 'download_archive',
  title: 'Download a repository',
  description: 'Download all files of a repository at one commit as a zip. Returns a temporary link.',
  annotations: reads,
  scopes: ['repo'],
  input: { ...repository, ref: { ...ref, description: 'A branch, a tag or a commit. HEAD is the default branch.' } },
  request: { method: 'GET', path: '/repos/{owner}/{repo}/zipball/{ref}' },
  result: file('{owner}-{repo}.zip'),
})

/** GitHub tools for files. */
export const fileTools = [searchCode, getFileContents, getDirectory, createOrUpdateFile, downloadArchive]
