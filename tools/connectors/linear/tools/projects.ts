import { clearable, either, list, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites, reads } from '../../annotations.ts'
import { day } from '../../times.ts'
import {
  contains,
  eq,
  findPerson,
  id,
  inName,
  listPages,
  markdown,
  onlyTeam,
  page,
  pageInfo,
  person,
  priority,
} from '../arguments.ts'

const project_id = id('The project, from list_projects.')
const lead = named('lead', optional(person('The lead.')))
const written = 'success project { id name url status { name } lead { displayName } startDate targetDate }'
const summary = text('A summary, on one line.', 255)
const statusId = optional(id('The status, from list_project_statuses.'))

const listProjects = tool('list_projects: POST /graphql', {
  title: 'List projects',
  description: 'List projects with status, health, progress (0 to 1), lead and target date. Filter by name or team.',
  annotations: reads,
  scopes: ['read'],
  graphql: `query ListProjects($first: Int, $after: String, $filter: ProjectFilter) {
  projects(first: $first, after: $after, filter: $filter) {
    nodes { id name url health progress startDate targetDate updatedAt status { name } lead { displayName } } ${pageInfo}
  }
}`,
  variables: {
    filter: {
      name: contains('name', inName),
      accessibleTeams: { some: { key: eq('team', onlyTeam) } },
    },
    ...page,
  },
  pagination: listPages('projects'),
})

const getProject = tool('get_project: POST /graphql', {
  title: 'Get a project',
  description:
    'Read one project: description, content, status, health, dates, lead, teams, milestones and latest update. Its ' +
    'documents: list_documents. Its issues: list_issues.',
  annotations: reads,
  scopes: ['read'],
  graphql: `query GetProject($id: String!) {
  project(id: $id) {
    id name description content url health progress startDate targetDate createdAt updatedAt
    status { name type } lead { id displayName } teams(first: 25) { nodes { id key name } }
    projectMilestones(first: 50) { nodes { id name targetDate } }
    lastUpdate { body health createdAt user { displayName } }
  }
}`,
  variables: { id: named('project_id', project_id) },
  at: '/data/project',
})

const listProjectStatuses = tool('list_project_statuses: POST /graphql', {
  title: 'List project statuses',
  description: 'List the statuses of projects with IDs for create_project and update_project.',
  annotations: reads,
  scopes: ['read'],
  graphql: `query ListProjectStatuses($first: Int, $after: String) {
  projectStatuses(first: $first, after: $after) { nodes { id name type description } ${pageInfo} }
}`,
  variables: page,
  pagination: listPages('projectStatuses'),
})

const createProject = tool('create_project: POST /graphql', {
  title: 'Create a project',
  description:
    'Create a project of one or several teams. Returns its ID and URL. Look for an existing one with list_projects.',
  scopes: ['write', 'read'],
  steps: [findPerson(lead)],
  graphql: `mutation CreateProject($input: ProjectCreateInput!) { projectCreate(input: $input) { ${written} } }`,
  variables: {
    input: {
      name: text('The name.', 80),
      teamIds: list(id('A team.'), 'The IDs of its teams, from list_teams.', 50),
      description: named('summary', optional(summary)),
      content: optional(markdown('The description.')),
      statusId,
      leadId: '{find_person.id}',
      priority: optional(priority),
      startDate: optional(day('The planned start.')),
      targetDate: optional(day('The planned end.')),
    },
  },
  at: '/data/projectCreate',
})

const updateProject = tool('update_project: POST /graphql', {
  title: 'Update a project',
  description:
    'Update a project. Omitted fields stay unchanged. content replaces the whole description. Remove the lead with lead_id null.',
  annotations: overwrites,
  scopes: ['write', 'read'],
  path: { lead_id: clearable(id('The lead, from list_users. Or give lead.')) },
  steps: [findPerson(lead)],
  graphql: `mutation UpdateProject($id: String!, $input: ProjectUpdateInput!) { projectUpdate(id: $id, input: $input) { ${written} } }`,
  variables: {
    id: named('project_id', project_id),
    input: {
      name: optional(text('The new name.', 80)),
      description: named('summary', optional(summary)),
      content: optional(markdown('The full new description.')),
      statusId,
      leadId: either('{find_person.id}', '{lead_id}'),
      priority: optional(priority),
      startDate: clearable(day('The planned start.')),
      targetDate: clearable(day('The planned end.')),
    },
  },
  needsOneOf: ['name', 'summary', 'content', 'status_id', 'lead', 'lead_id', 'priority', 'start_date', 'target_date'],
  at: '/data/projectUpdate',
})

const postProjectUpdate = tool('post_project_update: POST /graphql', {
  title: 'Post a project update',
  description: 'Post a status update to everyone who follows a project.',
  scopes: ['write'],
  graphql: `mutation PostProjectUpdate($input: ProjectUpdateCreateInput!) {
  projectUpdateCreate(input: $input) { success projectUpdate { id url health createdAt } }
}`,
  variables: {
    input: {
      projectId: project_id,
      body: markdown('The update.'),
      health: optional(oneOf(['onTrack', 'atRisk', 'offTrack'])),
    },
  },
  at: '/data/projectUpdateCreate',
})

/** Linear tools for projects. */
export const projectTools = [
  listProjects,
  getProject,
  listProjectStatuses,
  createProject,
  updateProject,
  postProjectUpdate,
]
