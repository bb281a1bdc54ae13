import { flag, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { fileArgument } from '../../../../services/definitions/file-argument.ts'
import { text as plainText } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { instant, pageSize, pageStart } from '../../shared-arguments.ts'
import { branch, listPages, listQuery, project, ref, scopes } from '../arguments.ts'

const projectFields = `id path_with_namespace name description default_branch visibility web_url archived star_count
  last_activity_at topics`

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

/** GitLab's tools for projects. */
export const projectTools = [
  tool('search_projects: GET /projects', {
    title: 'Search projects',
    description:
      'List or search projects, the most recently active first. Returns IDs and paths, which other tools take as project.',
    scopes,
    query: {
      search: optional(text('Words in the path, name or description, at least 3 characters.', 255, { min: 3 })),
      membership: optional({
        ...flag('Only projects you are a member of. Default: true. false includes public projects.'),
        default: true,
      }),
      archived: optional(flag('true: only archived projects. false: only others.')),
      order_by: 'last_activity_at',
      ...listQuery,
    },
    pagination: listPages,
    keep: projectFields,
  }),

  tool('get_project: GET /projects/{project}', {
    title: 'Get a project',
    description: 'Read one project: description, default branch, visibility, open issues, merge method and URLs.',
    scopes,
    path: { project },
    keep: `${projectFields} created_at open_issues_count forks_count http_url_to_repo merge_method squash_option readme_url
    forked_from_project { id path_with_namespace } permissions { project_access { access_level } group_access { access_level } }`,
  }),

  tool('search_code: GET /projects/{project}/search', {
    title: 'Search code',
    description:
      'Search the text of the files of a project. Returns paths and the lines around each match. Read a file with get_file.',
    scopes,
    path: { project },
    query: {
      scope: 'blobs',
      search: text('Words, and filters: filename:*.ts path:src extension:md.', 500, { min: 3 }),
      ref,
      ...listQuery,
    },
    pagination: listPages,
    keep: 'path ref startline data',
  }),

  tool('list_members: GET /projects/{project}/members/all', {
    title: 'List the members of a project',
    description:
      'List or search the members of a project and of its groups. Returns user IDs, logins and access levels.',
    scopes,
    path: { project },
    query: { query: optional(text('Words in the name, login or email address.', 255)), ...listQuery },
    pagination: listPages,
    keep: 'id username name state access_level',
  }),

  tool('list_labels: GET /projects/{project}/labels', {
    title: 'List labels',
    description: 'List or search the labels of a project and of its groups: names and what they are for.',
    scopes,
    path: { project },
    query: { search: optional(text('Words in the name.', 255)), ...listQuery },
    pagination: listPages,
    keep: 'id name description color is_project_label',
  }),

  tool('list_milestones: GET /projects/{project}/milestones', {
    title: 'List milestones',
    description: 'List or search the milestones of a project. Returns IDs, titles and dates.',
    scopes,
    path: { project },
    query: {
      state: optional(oneOf(['active', 'closed'], 'Only these. Default: all.')),
      search: optional(text('Words in the title or description.', 255)),
      ...listQuery,
    },
    pagination: listPages,
    keep: 'id iid title description state due_date start_date web_url',
  }),
]

/** GitLab's tools for repositories. */
export const repositoryTools = [
  tool(`get_file: GET ${REPOSITORY}/files/{file_path}/raw`, {
    title: 'Read a file',
    description:
      'Read the text of a file, a PDF too. To list a directory use list_directory; to search use search_code.',
    scopes,
    path: { project, file_path },
    query: { ref },
    returns: plainText(),
  }),

  tool(`list_directory: GET ${REPOSITORY}/tree`, {
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
  }),

  tool(`create_file: POST ${REPOSITORY}/files/{file_path}`, {
    title: 'Create a file',
    description: 'Add a file in one commit. For an existing file use update_file.',
    scopes,
    path: { project, file_path },
    json: written,
  }),

  tool(`update_file: PUT ${REPOSITORY}/files/{file_path}`, {
    title: 'Update a file',
    description: 'Replace a file in one commit. Read it first with get_file, and give the whole new text.',
    scopes,
    path: { project, file_path },
    json: {
      ...written,
      last_commit_id: optional(text('The last known commit of the file. Fails if the file has changed since.', 64)),
    },
  }),

  tool(`list_branches: GET ${REPOSITORY}/branches`, {
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
  }),

  tool(`create_branch: POST ${REPOSITORY}/branches`, {
    title: 'Create a branch',
    description: 'Make a branch from another branch or a commit.',
    scopes,
    path: { project },
    query: { branch: branch('The name of the new branch.'), ref: text('The branch or commit to start from.', 255) },
    keep: branchFields,
  }),

  tool(`list_commits: GET ${REPOSITORY}/commits`, {
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
  }),

  tool(`get_commit: GET ${REPOSITORY}/commits/{commit}`, {
    title: 'Get a commit',
    description: 'Read one commit: message, author, parents and the number of changed lines.',
    scopes,
    path: { project, commit },
    keep: `${commitFields} committer_name committed_date stats { additions deletions total } status`,
  }),

  tool(`list_commit_diffs: GET ${REPOSITORY}/commits/{commit}/diff`, {
    title: 'List the changes of a commit',
    description: 'List the changed files of a commit with their diffs.',
    scopes,
    path: { project, commit },
    query: listQuery,
    pagination: listPages,
    keep: 'old_path new_path new_file renamed_file deleted_file diff',
  }),
]
