import { flag } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { reads } from '../../annotations.ts'
import { contains, eq, inName, listPages, longPage, onlyTeam, pageInfo } from '../arguments.ts'

const scopes = ['read']

const listTeams = tool('list_teams: POST /graphql', {
  title: 'List teams',
  description: 'List the teams that you can see: ID, key (the prefix of their issues) and name.',
  annotations: reads,
  scopes,
  graphql: `query ListTeams($first: Int, $after: String) {
  teams(first: $first, after: $after) { nodes { id key name description } ${pageInfo} }
}`,
  variables: longPage,
  pagination: listPages('teams'),
})

const listStates = tool('list_states: POST /graphql', {
  title: 'List workflow states',
  description:
    'List the workflow states of issues: names and IDs for create_issue and update_issue. Each belongs to one team.',
  annotations: reads,
  scopes,
  graphql: `query ListStates($first: Int, $after: String, $filter: WorkflowStateFilter) {
  workflowStates(first: $first, after: $after, filter: $filter) { nodes { id name type description team { key } } ${pageInfo} }
}`,
  variables: { filter: { team: { key: eq('team', onlyTeam) } }, ...longPage },
  pagination: listPages('workflowStates'),
})

const listUsers = tool('list_users: POST /graphql', {
  title: 'List people',
  description: 'List the people of the workspace with IDs, names, display names and email addresses. isMe marks you.',
  annotations: reads,
  scopes,
  graphql: `query ListUsers($first: Int, $after: String, $filter: UserFilter) {
  users(first: $first, after: $after, filter: $filter) { nodes { id name displayName email active isMe } ${pageInfo} }
}`,
  variables: { filter: { name: contains('name', inName) }, ...longPage },
  pagination: listPages('users'),
})

const getMyself = tool('get_myself: POST /graphql', {
  title: 'Who am I',
  description: 'Read the connected user: ID, names, email address and teams.',
  annotations: reads,
  scopes,
  graphql: `query GetMyself {
  viewer { id name displayName email admin organization { name urlKey } teams(first: 50) { nodes { id key name } } }
}`,
  at: '/data/viewer',
})

const listCycles = tool('list_cycles: POST /graphql', {
  title: 'List cycles',
  description: 'List the cycles (sprints) of teams with IDs, dates and progress. Set active for the current ones.',
  annotations: reads,
  scopes,
  graphql: `query ListCycles($first: Int, $after: String, $filter: CycleFilter) {
  cycles(first: $first, after: $after, filter: $filter) {
    nodes { id number name startsAt endsAt progress isActive team { key } } ${pageInfo}
  }
}`,
  variables: {
    filter: {
      team: { key: eq('team', onlyTeam) },
      isActive: eq('active', flag('true: only current cycles. false: only the others.')),
    },
    ...longPage,
  },
  pagination: listPages('cycles'),
})

/** Linear tools for teams, states, people and cycles. */
export const workspaceTools = [listTeams, listStates, listUsers, getMyself, listCycles]
