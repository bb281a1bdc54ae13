import { flag, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { listPages, listQuery, project, ref, scopes } from '../arguments.ts'

const keep = `id path_with_namespace name description default_branch visibility web_url archived star_count
  last_activity_at topics`

const searchProjects = tool('search_projects: GET /projects', {
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
    archived: optional(flag('Only archived projects, or only others.')),
    order_by: 'last_activity_at',
    ...listQuery,
  },
  pagination: listPages,
  keep,
})

const getProject = tool('get_project: GET /projects/{project}', {
  title: 'Get a project',
  description: 'Read one project: description, default branch, visibility, open issues, merge method and URLs.',
  scopes,
  path: { project },
  keep: `${keep} created_at open_issues_count forks_count http_url_to_repo merge_method squash_option readme_url
    forked_from_project { id path_with_namespace } permissions { project_access { access_level } group_access { access_level } }`,
})

const searchCode = tool('search_code: GET /projects/{project}/search', {
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
})

const listMembers = tool('list_members: GET /projects/{project}/members/all', {
  title: 'List the members of a project',
  description: 'List or search the members of a project and of its groups. Returns user IDs, logins and access levels.',
  scopes,
  path: { project },
  query: { query: optional(text('Words in the name, login or email address.', 255)), ...listQuery },
  pagination: listPages,
  keep: 'id username name state access_level',
})

const listLabels = tool('list_labels: GET /projects/{project}/labels', {
  title: 'List labels',
  description: 'List or search the labels of a project and of its groups: names and what they are for.',
  scopes,
  path: { project },
  query: { search: optional(text('Words in the name.', 255)), ...listQuery },
  pagination: listPages,
  keep: 'id name description color is_project_label',
})

const listMilestones = tool('list_milestones: GET /projects/{project}/milestones', {
  title: 'List milestones',
  description: 'List or search the milestones of a project. Returns IDs, titles and dates.',
  scopes,
  path: { project },
  query: {
    state: optional(oneOf(['active', 'closed'])),
    search: optional(text('Words in the title or description.', 255)),
    ...listQuery,
  },
  pagination: listPages,
  keep: 'id iid title description state due_date start_date web_url',
})

/** GitLab's tools for projects. */
export const projectTools = [searchProjects, getProject, searchCode, listMembers, listLabels, listMilestones]
