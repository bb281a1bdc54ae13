import { Type } from '@sinclair/typebox'
import { httpTool } from '../../../../services/definitions/http-tool.ts'
import { reads } from '../../annotations.ts'
import { cursor, limit } from '../../paging.ts'
import { listOf, pageInfo, teamKey } from '../arguments.ts'

const page = { limit: limit({ max: 100, default: 50 }), cursor }
const name = Type.String({ minLength: 1, maxLength: 200, description: 'Only those with this text in the name.' })

const listTeams = httpTool({
  operation: 'list_teams',
  title: 'List teams',
  description: 'List the teams that you can see: ID, key (the prefix of their issues) and name.',
  annotations: reads,
  scopes: ['read'],
  input: { ...page },
  ...listOf(
    'teams',
    `query ListTeams($first: Int, $after: String) {
  teams(first: $first, after: $after) { nodes { id key name description } ${pageInfo} }
}`,
  ),
})

const listStates = httpTool({
  operation: 'list_states',
  title: 'List workflow states',
  description:
    'List the workflow states of issues, with IDs for create_issue and update_issue. Each belongs to one team.',
  annotations: reads,
  scopes: ['read'],
  input: { team: Type.Optional(teamKey), ...page },
  ...listOf(
    'workflowStates',
    `query ListStates($first: Int, $after: String, $filter: WorkflowStateFilter) {
  workflowStates(first: $first, after: $after, filter: $filter) {
    nodes { id name type description team { key } }
    ${pageInfo}
  }
}`,
    { filter: { team: { key: { eq: '{team}' } } } },
  ),
})

const listLabels = httpTool({
  operation: 'list_labels',
  title: 'List labels',
  description: 'List issue labels with their IDs. Labels without a team belong to the workspace.',
  annotations: reads,
  scopes: ['read'],
  input: { name: Type.Optional(name), ...page },
  ...listOf(
    'issueLabels',
    `query ListLabels($first: Int, $after: String, $filter: IssueLabelFilter) {
  issueLabels(first: $first, after: $after, filter: $filter) {
    nodes { id name isGroup description team { key } parent { name } }
    ${pageInfo}
  }
}`,
    { filter: { name: { containsIgnoreCase: '{name}' } } },
  ),
})

const listUsers = httpTool({
  operation: 'list_users',
  title: 'List people',
  description: 'List the people of the workspace with IDs, names and email addresses. isMe marks you.',
  annotations: reads,
  scopes: ['read'],
  input: { name: Type.Optional(name), ...page },
  ...listOf(
    'users',
    `query ListUsers($first: Int, $after: String, $filter: UserFilter) {
  users(first: $first, after: $after, filter: $filter) { nodes { id name displayName email active isMe } ${pageInfo} }
}`,
    { filter: { name: { containsIgnoreCase: '{name}' } } },
  ),
})

const listCycles = httpTool({
  operation: 'list_cycles',
  title: 'List cycles',
  description: 'List the cycles (sprints) of teams with IDs, dates and progress. Set active for the current ones.',
  annotations: reads,
  scopes: ['read'],
  input: {
    team: Type.Optional(teamKey),
    active: Type.Optional(Type.Boolean({ description: 'true: only current cycles. false: only the others.' })),
    ...page,
  },
  ...listOf(
    'cycles',
    `query ListCycles($first: Int, $after: String, $filter: CycleFilter) {
  cycles(first: $first, after: $after, filter: $filter) {
    nodes { id number name startsAt endsAt progress isActive team { key } }
    ${pageInfo}
  }
}`,
    {
      filter: { team: { key: { eq: '{team}' } }, isActive: { eq: '{active}' } },
    },
  ),
})

/** Linear tools for teams, states, labels, people and cycles. */
export const workspaceTools = [listTeams, listStates, listLabels, listUsers, listCycles]
