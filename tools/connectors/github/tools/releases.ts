import { either, flag, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { FileNameArgument, fileArgument } from '../../../../services/definitions/file-argument.ts'
import { file } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { id, listPages, listQuery, name, REPOSITORY, repository, scopes } from '../arguments.ts'

const RELEASES = `${REPOSITORY}/releases`
const release_id = id('The ID of the release, from list_releases.')
const assetFields = 'id name size content_type download_count browser_download_url'
const releaseFields = `id tag_name target_commitish name body draft prerelease html_url author { login } created_at
  published_at assets { ${assetFields} }`
const settings = {
  target_commitish: optional(name('The branch or commit to tag, if the tag is new. Default: the default branch.')),
  name: optional(text('The title. Default: the tag.', 255)),
  body: optional(text('The notes. GitHub-flavored Markdown.', 125_000, { min: 0 })),
  draft: optional(flag('Whether it is a draft, which only maintainers see.')),
  prerelease: optional(flag('Whether it is not ready for production.')),
  make_latest: optional(
    oneOf(['true', 'false', 'legacy'], 'Whether it becomes the latest. legacy decides by version.'),
  ),
}

const listReleases = tool(`list_releases: GET ${RELEASES}`, {
  title: 'List releases',
  description: 'List the releases of a repository, newest first, with their notes and files.',
  scopes,
  path: repository,
  query: listQuery,
  pagination: listPages,
  keep: releaseFields,
})

const getLatestRelease = tool(`get_latest_release: GET ${RELEASES}/latest`, {
  title: 'Get the latest release',
  description: 'Read the latest release that is neither a draft nor a prerelease: tag, notes and files.',
  scopes,
  path: repository,
  keep: releaseFields,
})

const getRelease = tool(`get_release: GET ${RELEASES}/tags/{tag}`, {
  title: 'Get a release',
  description: 'Read the published release of a tag: notes and files.',
  scopes,
  path: { ...repository, tag: name('The tag: v1.2.0. From list_releases or list_tags.') },
  keep: releaseFields,
})

const createRelease = tool(`create_release: POST ${RELEASES}`, {
  title: 'Create a release',
  description: 'Publish a release, or prepare a draft. A tag that does not exist is created. Returns the ID and URL.',
  scopes,
  path: repository,
  json: {
    tag_name: named('tag', name('The tag: v1.2.0.')),
    ...settings,
    generate_release_notes: optional(flag('Whether GitHub adds notes about the pull requests since the last release.')),
  },
  keep: releaseFields,
})

const updateRelease = tool(`update_release: PATCH ${RELEASES}/{release_id}`, {
  title: 'Update a release',
  description: 'Change a release, or publish a draft with draft false. Omitted fields stay unchanged.',
  scopes,
  path: { ...repository, release_id },
  json: { tag_name: named('tag', optional(name('Another tag.'))), ...settings },
  keep: releaseFields,
})

const uploadReleaseAsset = tool(
  'upload_release_asset: POST uploads/repos/{owner}/{repo}/releases/{release_id}/assets',
  {
    title: 'Add a file to a release',
    description: 'Add a file to a release, such as a build. Fails if the release has a file of that name.',
    scopes,
    path: { ...repository, release_id },
    query: {
      name: either(named('file_name', FileNameArgument), '{content.name}'),
      label: optional(text('What people see in place of the name.', 255)),
    },
    raw: fileArgument({ what: 'The file' }),
    keep: assetFields,
  },
)

const downloadReleaseAsset = tool(`download_release_asset: GET ${RELEASES}/assets/{asset_id}`, {
  title: 'Download a file of a release',
  description: 'Download a file of a release. Returns a temporary link. For the source code use download_archive.',
  scopes,
  headers: { accept: 'application/octet-stream' },
  path: { ...repository, asset_id: id('The ID of the file: assets.id of get_release or list_releases.') },
  returns: file(),
})

/** GitHub tools for releases. */
export const releaseTools = [
  listReleases,
  getLatestRelease,
  getRelease,
  createRelease,
  updateRelease,
  uploadReleaseAsset,
  downloadReleaseAsset,
]
