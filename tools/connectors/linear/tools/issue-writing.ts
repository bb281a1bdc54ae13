import { clearable, either, integer, list, named, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites, sets } from '../../annotations.ts'
import { day } from '../../times.ts'
import {
  findLabels,
  findOwnLabels,
  findPerson,
  findState,
  findTeam,
  findTeamOf,
  id,
  issue,
  label,
  markdown,
  person,
  priority,
  state,
  teamKey,
} from '../arguments.ts'

const scopes = ['write']
const title = text('The title, on one line.', 512)
const estimate = integer('Points on the team’s scale.', 0, 64)
const written =
  'success issue { id identifier title url state { name } assignee { displayName } priorityLabel updatedAt }'
const labelIds = (description: string, max = 50) =>
  optional(list(id('A label, from list_labels.'), description, max, { min: 0 }))
const labelNames = (description: string) => optional(list(label, `${description} Their names, from list_labels.`, 20))

const team = named('team', optional(teamKey('The team. Give it, or team_id.')))
const assignee = named('assignee', optional(person('The assignee.')))
const newState = named('state', optional(state('The state.')))
const foundTeam = either('{find_team.id}', '{team_id}')
const fieldArguments = {
  assigneeId: either('{find_person.id}', '{assignee_id}'),
  stateId: either('{find_state.id}', '{state_id}'),
}

const createIssue = tool('create_issue: POST /graphql', {
  title: 'Create an issue',
  description:
    'Create an issue in a team. Give names or IDs: list_teams, list_states, list_labels and list_users have both; for ' +
    'project and cycle list_projects and list_cycles. Returns its identifier (ENG-123) and URL. Search for an existing one first.',
  scopes: ['issues:create', 'read'],
  path: {
    team_id: optional(id('The team, from list_teams. Or give team.')),
    labels: labelNames('The labels.'),
    state_id: optional(id('The state, from list_states. Or give state. Default: the team’s default state.')),
    assignee_id: optional(id('The assignee, from list_users. Or give assignee.')),
  },
  steps: [findTeam(team), findState(newState, foundTeam), findPerson(assignee), findLabels('labels', foundTeam)],
  graphql: `mutation CreateIssue($input: IssueCreateInput!) { issueCreate(input: $input) { ${written} } }`,
  variables: {
    input: {
      teamId: foundTeam,
      title,
      description: optional(markdown('The description.')),
      ...fieldArguments,
      priority: optional(priority),
      labelIds: either('{find_labels.id}', named('label_ids', labelIds('The labels by ID, without labels.'))),
      projectId: optional(id('The project, from list_projects.')),
      cycleId: optional(id('The cycle, from list_cycles.')),
      parentId: named('parent', optional(issue('The parent issue.'))),
      estimate: optional(estimate),
      dueDate: optional(day('The due date.')),
    },
  },
  needsOneOf: ['team', 'team_id'],
  at: '/data/issueCreate',
})

const changes =
  'title description state state_id assignee assignee_id priority add_labels remove_labels add_label_ids remove_label_ids project_id cycle_id parent estimate due_date'.split(
    ' ',
  )

const updateIssue = tool('update_issue: POST /graphql', {
  title: 'Update an issue',
  description:
    'Update an issue. Omitted fields stay unchanged. Give names or IDs of the state, the assignee and labels: list_states, ' +
    'list_users and list_labels have both. Labels are added and removed one by one; the others stay. Unassign with assignee_id null.',
  annotations: overwrites,
  scopes: ['write', 'read'],
  path: {
    issue: issue('The issue.'),
    state_id: optional(id('The new state, from list_states. Or give state.')),
    assignee_id: clearable(id('The new assignee, from list_users. Or give assignee.')),
    add_labels: labelNames('Labels to add.'),
    remove_labels: labelNames('Labels to remove, which the issue has.'),
  },
  steps: [
    findTeamOf(['state', 'add_labels']),
    findState(newState, '{find_issue.id}'),
    findPerson(assignee),
    findLabels('add_labels', '{find_issue.id}'),
    findOwnLabels('remove_labels'),
  ],
  graphql: `mutation UpdateIssue($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { ${written} } }`,
  variables: {
    id: '{issue}',
    input: {
      title: optional(title),
      description: optional(markdown('The full new description.')),
      ...fieldArguments,
      priority: optional(priority),
      addedLabelIds: either(
        '{find_labels.id}',
        named('add_label_ids', labelIds('Labels to add by ID, without add_labels.')),
      ),
      removedLabelIds: either(
        '{find_own_labels.id}',
        named('remove_label_ids', labelIds('Labels to remove by ID, without remove_labels.')),
      ),
      projectId: clearable(id('The new project, from list_projects.')),
      cycleId: clearable(id('The new cycle, from list_cycles.')),
      parentId: named('parent', clearable(issue('The parent issue.'))),
      estimate: clearable(estimate),
      dueDate: clearable(day('The due date.')),
    },
  },
  needsOneOf: changes,
  at: '/data/issueUpdate',
})

const archiveIssue = tool('archive_issue: POST /graphql', {
  title: 'Archive an issue',
  description: 'Archive an issue. It disappears from all lists. restore_issue brings it back.',
  annotations: overwrites,
  scopes,
  graphql: `mutation ArchiveIssue($id: String!) { issueArchive(id: $id) { success entity { identifier archivedAt } } }`,
  variables: { id: named('issue', issue('The issue.')) },
  at: '/data/issueArchive',
})

const restoreIssue = tool('restore_issue: POST /graphql', {
  title: 'Restore an issue',
  description: 'Restore an archived issue. search_issues finds them with include_archived.',
  annotations: sets,
  scopes,
  graphql: `mutation RestoreIssue($id: String!) { issueUnarchive(id: $id) { success entity { identifier url } } }`,
  variables: { id: named('issue', issue('The issue.')) },
  at: '/data/issueUnarchive',
})

/** Linear tools that write issues. */
export const issueWritingTools = [createIssue, updateIssue, archiveIssue, restoreIssue]
