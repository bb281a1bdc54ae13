import { either, flag, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { FileNameArgument, fileArgument } from '../../../../services/definitions/file-argument.ts'
import { file } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import {
  direction,
  id,
  listPages,
  listQuery,
  name,
  REPOSITORY,
  repository,
  scopes,
  searchPages,
  searchQuery,
} from '../arguments.ts'

const repositoryFields = `full_name description html_url private fork archived default_branch language stargazers_count
  open_issues_count pushed_at`
const login = (description: string) => text(description, 100, { pattern: '^[A-Za-z0-9_-]+$' })
const repositoryName = (description: string) => text(description, 100, { pattern: '^[A-Za-z0-9._-]+$' })
const repositorySettings = {
  name: repositoryName('The name, without the owner: app.'),
  description: optional(text('What it is for, on one line.', 350)),
  private: optional({ ...flag('Whether it is private. Default: true.'), default: true }),
  auto_init: optional(flag('Whether to add a README, which creates a branch. Default: false.')),
  gitignore_template: optional(text('The language of the .gitignore: Node.', 100)),
  license_template: optional(text('The license by keyword: mit, apache-2.0.', 100)),
}

const RELEASES = `${REPOSITORY}/releases`
const release_id = id('The ID of the release, from list_releases.')
const assetFields = 'id name size content_type download_count browser_download_url'
const releaseFields = `id tag_name target_commitish name body draft prerelease html_url author { login } created_at
  published_at assets { ${assetFields} }`
const releaseSettings = {
  target_commitish: optional(name('The branch or commit to tag, if the tag is new. Default: the default branch.')),
  name: optional(text('The title. Default: the tag.', 255)),
  body: optional(text('The notes. GitHub-flavored Markdown.', 125_000, { min: 0 })),
  draft: optional(flag('Whether it is a draft, which only maintainers see.')),
  prerelease: optional(flag('Whether it is a prerelease.')),
  make_latest: optional(
    oneOf(['true', 'false', 'legacy'], 'Whether it becomes the latest. legacy decides by version.'),
  ),
}

/** GitHub tools for repositories. */
export const repositoryTools = [
  tool('search_repositories: GET /search/repositories', {
    title: 'Search repositories',
    description:
      'Search repositories by words and qualifiers. Example: org:octo-org language:typescript gateway ' +
      'in:name,description. Returns full name, description, language, stars and default branch.',
    scopes,
    query: searchQuery('user:, org:, language:, topic:, stars:>100, pushed:>2026-01-01.', [
      'stars',
      'forks',
      'updated',
    ]),
    pagination: searchPages,
    keep: repositoryFields,
  }),

  tool('list_repositories: GET /user/repos', {
    title: 'List your repositories',
    description:
      'List the repositories that you own, collaborate on or access through an organization, including private ones.',
    scopes,
    query: {
      visibility: optional(oneOf(['all', 'public', 'private'], 'Default: all.')),
      sort: optional(oneOf(['created', 'updated', 'pushed', 'full_name'], 'The order. Default: full_name.')),
      direction,
      ...listQuery,
    },
    pagination: listPages,
    keep: repositoryFields,
  }),

  tool(`get_repository: GET ${REPOSITORY}`, {
    title: 'Get a repository',
    description:
      'Read one repository: description, default branch, topics, license, what you may do, and how it merges.',
    scopes,
    path: repository,
    keep: `${repositoryFields} id homepage topics visibility license { spdx_id } forks_count has_issues size created_at
    parent { full_name } permissions allow_squash_merge allow_merge_commit allow_rebase_merge delete_branch_on_merge`,
  }),

  tool('create_repository: POST /user/repos', {
    title: 'Create a repository',
    description:
      'Create a repository in your account, by default private. For an organization use create_organization_repository.',
    scopes,
    json: repositorySettings,
    keep: repositoryFields,
  }),

  tool('create_organization_repository: POST /orgs/{org}/repos', {
    title: 'Create a repository of an organization',
    description: 'Create a repository in an organization, by default private.',
    scopes,
    path: { org: login('The login of the organization, from list_organizations.') },
    json: repositorySettings,
    keep: repositoryFields,
  }),

  tool(`fork_repository: POST ${REPOSITORY}/forks`, {
    title: 'Fork a repository',
    description: 'Copy a repository to your own account, or to an organization. Its files may take minutes to arrive.',
    scopes,
    path: repository,
    json: {
      organization: optional(login('The organization that gets the fork. Default: you.')),
      name: optional(repositoryName('The name of the fork. Default: the same name.')),
      default_branch_only: optional(flag('Copy only the default branch. Default: false.')),
    },
    keep: `${repositoryFields} parent { full_name }`,
  }),
]

/** GitHub tools for releases. */
export const releaseTools = [
  tool(`list_releases: GET ${RELEASES}`, {
    title: 'List releases',
    description: 'List the releases of a repository, newest first, with their notes and files.',
    scopes,
    path: repository,
    query: listQuery,
    pagination: listPages,
    keep: releaseFields,
  }),

  tool(`get_latest_release: GET ${RELEASES}/latest`, {
    title: 'Get the latest release',
    description: 'Read the latest release that is neither a draft nor a prerelease: tag, notes and files.',
    scopes,
    path: repository,
    keep: releaseFields,
  }),

  tool(`get_release: GET ${RELEASES}/tags/{tag}`, {
    title: 'Get a release',
    description: 'Read the published release of a tag: notes and files.',
    scopes,
    path: { ...repository, tag: name('The tag: v1.2.0. From list_releases or list_tags.') },
    keep: releaseFields,
  }),

  tool(`create_release: POST ${RELEASES}`, {
    title: 'Create a release',
    description: 'Publish a release, or prepare a draft. A tag that does not exist is created. Returns the ID and URL.',
    scopes,
    path: repository,
    json: {
      tag_name: named('tag', name('The tag: v1.2.0.')),
      ...releaseSettings,
      generate_release_notes: optional(
        flag('Whether GitHub adds notes about the pull requests since the last release.'),
      ),
    },
    keep: releaseFields,
  }),

  tool(`update_release: PATCH ${RELEASES}/{release_id}`, {
    title: 'Update a release',
    description: 'Change a release, or publish a draft with draft false. Omitted fields stay unchanged.',
    scopes,
    path: { ...repository, release_id },
    json: { tag_name: named('tag', optional(name('Another tag.'))), ...releaseSettings },
    keep: releaseFields,
  }),

  tool('upload_release_asset: POST uploads/repos/{owner}/{repo}/releases/{release_id}/assets', {
    title: 'Add a file to a release',
    description: 'Add a file to a release, such as a build. Fails if the release has a file of that name.',
    scopes,
    path: { ...repository, release_id },
    query: {
      name: either(named('file_name', FileNameArgument), '{content.name}'),
      label: optional(text('The label to show in place of the name.', 255)),
    },
    raw: { $file: { content: fileArgument({ what: 'The file' }), name: '{file_name}' } },
    keep: assetFields,
  }),

  tool(`download_release_asset: GET ${RELEASES}/assets/{asset_id}`, {
    title: 'Download a file of a release',
    description: 'Download a file of a release. Returns a temporary link. For the source code use download_archive.',
    scopes,
    headers: { accept: 'application/octet-stream' },
    path: { ...repository, asset_id: id('The ID of the file: assets.id of get_release or list_releases.') },
    returns: file(),
  }),
]
