import { flag, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import {
  direction,
  listPages,
  listQuery,
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
const settings = {
  name: repositoryName('The name, without the owner: app.'),
  description: optional(text('What it is for, on one line.', 350)),
  private: optional({ ...flag('Whether only chosen people see it. Default: true.'), default: true }),
  auto_init: optional(flag('Whether to begin with a README, so that it has a branch. Default: false.')),
  gitignore_template: optional(text('The language of the .gitignore: Node.', 100)),
  license_template: optional(text('The license by keyword: mit, apache-2.0.', 100)),
}

const searchRepositories = tool('search_repositories: GET /search/repositories', {
  title: 'Search repositories',
  description:
    'Search repositories by words and qualifiers. Example: org:octo-org language:typescript gateway in:name,description. ' +
    'Returns full name, description, language, stars and default branch.',
  scopes,
  query: searchQuery('user:, org:, language:, topic:, stars:>100, pushed:>2026-01-01.', ['stars', 'forks', 'updated']),
  pagination: searchPages,
  keep: repositoryFields,
})

const listRepositories = tool('list_repositories: GET /user/repos', {
  title: 'List your repositories',
  description:
    'List the repositories that you own, collaborate on or access through an organization, including private ones.',
  scopes,
  query: {
    visibility: optional(oneOf(['all', 'public', 'private'])),
    sort: optional(oneOf(['created', 'updated', 'pushed', 'full_name'])),
    direction,
    ...listQuery,
  },
  pagination: listPages,
  keep: repositoryFields,
})

const getRepository = tool(`get_repository: GET ${REPOSITORY}`, {
  title: 'Get a repository',
  description: 'Read one repository: description, default branch, topics, license, what you may do, and how it merges.',
  scopes,
  path: repository,
  keep: `${repositoryFields} id homepage topics visibility license { spdx_id } forks_count has_issues size created_at
    parent { full_name } permissions allow_squash_merge allow_merge_commit allow_rebase_merge delete_branch_on_merge`,
})

const createRepository = tool('create_repository: POST /user/repos', {
  title: 'Create a repository',
  description:
    'Create a repository of your own, private unless you say so. For one of an organization use create_organization_repository.',
  scopes,
  json: settings,
  keep: repositoryFields,
})

const createOrganizationRepository = tool('create_organization_repository: POST /orgs/{org}/repos', {
  title: 'Create a repository of an organization',
  description: 'Create a repository of an organization, private unless you say so.',
  scopes,
  path: { org: login('The login of the organization, from list_organizations.') },
  json: settings,
  keep: repositoryFields,
})

const forkRepository = tool(`fork_repository: POST ${REPOSITORY}/forks`, {
  title: 'Fork a repository',
  description: 'Copy a repository to your own account, or to an organization. Its files may take minutes to arrive.',
  scopes,
  path: repository,
  json: {
    organization: optional(login('The organization that gets the fork. Default: you.')),
    name: optional(repositoryName('Another name. Default: the same.')),
    default_branch_only: optional(flag('Copy only the default branch. Default: false.')),
  },
  keep: `${repositoryFields} parent { full_name }`,
})

/** GitHub tools for repositories. */
export const repositoryTools = [
  searchRepositories,
  listRepositories,
  getRepository,
  createRepository,
  createOrganizationRepository,
  forkRepository,
]
