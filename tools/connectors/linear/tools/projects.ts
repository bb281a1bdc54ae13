import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../../../schemas/string-enum.ts'
import { httpTool, pick } from '../../../../services/definitions/http-tool.ts'
import { adds, reads } from '../../annotations.ts'
import { cursor, limit } from '../../paging.ts'
import { graphql, id, listOf, markdown, pageInfo, teamKey } from '../arguments.ts'

const listProjects = httpTool({
  operation: 'list_projects',
  title: 'List projects',
  description: 'List projects with status, health, progress (0 to 1), lead and target date. Filter by name or team.',
  annotations: reads,
  scopes: ['read'],
  input: {
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Only those with this text in the name.' }),
    ),
    team: Type.Optional(teamKey),
    limit: limit({ max: 100, default: 25 }),
    cursor,
  },
  ...listOf(
    'projects',
    `query ListProjects($first: Int, $after: String, $filter: ProjectFilter) {
  projects(first: $first, after: $after, filter: $filter) {
    nodes { id name url health progress startDate targetDate updatedAt status { name } lead { displayName } }
    ${pageInfo}
  }
}`,
    {
      filter: {
        name: { containsIgnoreCase: '{name}' },
        accessibleTeams: { some: { key: { eq: '{team}' } } },
      },
    },
  ),
})

const getProject = httpTool({
  operation: 'get_project',
  title: 'Get a project',
  description:
    'Read one project: description, content, status, health, dates, lead, teams, milestones and latest update.',
  annotations: reads,
  scopes: ['read'],
  input: { project_id: id('The project, from list_projects.') },
  request: graphql(
    `query GetProject($id: String!) {
  project(id: $id) {
    id name description content url health progress startDate targetDate createdAt updatedAt
    status { name type }
    lead { id displayName }
    teams(first: 25) { nodes { id key name } }
    projectMilestones(first: 50) { nodes { id name targetDate } }
    lastUpdate { body health createdAt user { displayName } }
  }
}`,
    { id: '{project_id}' },
  ),
  result: pick('/data/project', []),
})

const postProjectUpdate = httpTool({
  operation: 'post_project_update',
  title: 'Post a project update',
  description: 'Post a status update to everyone who follows a project.',
  annotations: adds,
  scopes: ['write'],
  input: {
    project_id: id('The project, from list_projects.'),
    body: markdown('The update.'),
    health: Type.Optional(StringEnum(['onTrack', 'atRisk', 'offTrack'])),
  },
  request: graphql(
    `mutation PostProjectUpdate($input: ProjectUpdateCreateInput!) {
  projectUpdateCreate(input: $input) { success projectUpdate { id url health createdAt } }
}`,
    { input: { projectId: '{project_id}', body: '{body}', health: '{health}' } },
  ),
  result: pick('/data/projectUpdateCreate', []),
})

/** Linear tools for projects. */
export const projectTools = [listProjects, getProject, postProjectUpdate]
