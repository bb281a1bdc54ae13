import {
  clearable,
  either,
  flag,
  integer,
  list,
  named,
  oneOf,
  optional,
  text,
} from '../../../../services/definitions/arguments.ts'
import { overwrites, sets, tool } from '../../../../services/definitions/tool.ts'
import { day, instant } from '../../shared-arguments.ts'
import {
  contains,
  eq,
  findLabels,
  findOwnLabels,
  findPerson,
  findState,
  findTeam,
  findTeamOf,
  id,
  issue,
  label,
  like,
  listPages,
  markdown,
  onlyTeam,
  page,
  pageInfo,
  person,
  priority,
  query,
  state,
  teamKey,
} from '../arguments.ts'

const STATE_TYPES = ['triage', 'backlog', 'unstarted', 'started', 'completed', 'canceled', 'duplicate'] as const
const stateTypes = list(oneOf(STATE_TYPES), 'Only issues in states of these types.', 7)
const ofPerson = like('assignee', person('Only issues of this person.'))
const issueNode = `id identifier title url priorityLabel dueDate createdAt updatedAt
      state { name type } team { key } assignee { displayName } project { name } labels(first: 10) { nodes { name } }`

const title = text('The title, on one line.', 512)
const estimate = integer('Points on the team’s scale.', 0, 64)
const written =
  'success issue { id identifier title url state { name } assignee { displayName } priorityLabel updatedAt }'
const labelIds = (description: string, max = 50) =>
  optional(list(id('A label, from list_labels.'), description, max, { min: 0 }))
const labelNames = (description: string) => optional(list(label, `${description} Their names, from list_labels.`, 20))

const team = named('team', optional(teamKey('The team. Give this or team_id.')))
const assignee = named('assignee', optional(person('The assignee.')))
const newState = named('state', optional(state('The state.')))
const foundTeam = either('{find_team.id}', '{team_id}')
const fieldArguments = {
  assigneeId: either('{find_person.id}', '{assignee_id}'),
  stateId: either('{find_state.id}', '{state_id}'),
}

const changes =
  'title description state state_id assignee assignee_id priority add_labels remove_labels add_label_ids remove_label_ids project_id cycle_id parent estimate due_date'.split(
    ' ',
  )

/** Linear tools that read and write issues. */
export const issueTools = [
  tool('search_issues: POST /graphql', {
    title: 'Search issues',
    description:
      'Search issues by words in title and description (optionally comments), best match first. To list issues by ' +
      'state, team or person use list_issues. Returns identifier, title, state, team, assignee and dates.',
    ...query,
    graphql: `query SearchIssues($term: String!, $first: Int, $after: String, $filter: IssueFilter, $comments: Boolean, $archived: Boolean) {
  searchIssues(term: $term, first: $first, after: $after, filter: $filter, includeComments: $comments, includeArchived: $archived) {
    nodes { ${issueNode} } ${pageInfo}
  }
}`,
    variables: {
      term: text('Words without search syntax: login crash safari.', 500),
      filter: { team: { key: eq('team', onlyTeam) } },
      comments: named('include_comments', optional(flag('Also search comments.'))),
      archived: named('include_archived', optional(flag('Include archived issues.'))),
      ...page,
    },
    pagination: listPages('searchIssues'),
  }),

  tool('list_issues: POST /graphql', {
    title: 'List issues',
    description:
      'List issues by team, state, person, project, label, cycle, priority or time. All given filters apply. For ' +
      'your work in progress: assigned_to_me true, state_types ["started"].',
    ...query,
    graphql: `query ListIssues($first: Int, $after: String, $filter: IssueFilter, $orderBy: PaginationOrderBy) {
  issues(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { nodes { ${issueNode} } ${pageInfo} }
}`,
    variables: {
      orderBy: named('order_by', optional(oneOf(['createdAt', 'updatedAt'], 'Newest first. Default: createdAt.'))),
      filter: {
        team: { key: eq('team', onlyTeam) },
        assignee: {
          isMe: eq('assigned_to_me', flag('true: only your issues. false: only other issues.')),
          email: like('assignee_email', text('Only issues of this email address.', 254, { min: 3 })),
          or: [{ email: ofPerson }, { displayName: ofPerson }],
        },
        state: {
          name: like('state', state('Only issues in this state.')),
          type: { in: named('state_types', optional(stateTypes)) },
        },
        project: {
          id: eq('project_id', id('Only issues of this project, from list_projects.')),
          name: contains('project', text('Only issues of projects with this text in the name.', 200)),
        },
        cycle: { isActive: eq('in_active_cycle', flag('true: only issues of the current cycles.')) },
        labels: { name: like('label', text('Only issues with the label of this name.', 100)) },
        priority: eq('priority', priority),
        dueDate: { lte: named('due_until', optional(day('Only issues due on this day or before.'))) },
        createdAt: { gt: named('created_after', optional(instant('Only issues created after this time.'))) },
        updatedAt: { gt: named('updated_after', optional(instant('Only issues updated after this time.'))) },
      },
      ...page,
    },
    pagination: listPages('issues'),
  }),

  tool('get_issue: POST /graphql', {
    title: 'Get an issue',
    description:
      'Read one issue: description, state, people, project, cycle, labels, parent, sub-issues, relations, links and ' +
      'documents. Comments: list_comments. Pass the IDs in the result to update_issue, remove_relation and ' +
      'remove_link.',
    ...query,
    graphql: `query GetIssue($id: String!) {
  issue(id: $id) {
    id identifier title description url branchName priority priorityLabel estimate dueDate
    createdAt updatedAt startedAt completedAt canceledAt archivedAt
    state { id name type } team { id key name } creator { id displayName } assignee { id displayName email }
    project { id name } cycle { id number name } parent { identifier title }
    labels(first: 25) { nodes { id name } } children(first: 50) { nodes { identifier title state { name } } }
    relations(first: 25) { nodes { id type relatedIssue { identifier title } } }
    inverseRelations(first: 25) { nodes { id type issue { identifier title } } }
    attachments(first: 25) { nodes { id title url } } documents(first: 25) { nodes { id title url } }
  }
}`,
    variables: { id: named('issue', issue('The issue.')) },
    at: '/data/issue',
  }),

  tool('create_issue: POST /graphql', {
    title: 'Create an issue',
    description:
      'Create an issue in a team. Give names or IDs: list_teams, list_states, list_labels and list_users have both; ' +
      'for project and cycle list_projects and list_cycles. Returns its identifier (ENG-123) and URL. Search for an ' +
      'existing issue first.',
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
  }),

  tool('update_issue: POST /graphql', {
    title: 'Update an issue',
    description:
      'Update an issue. Omitted fields stay unchanged. Give names or IDs of the state, the assignee and labels: ' +
      'list_states, list_users and list_labels have both. Labels are added and removed individually; other labels ' +
      'stay. Unassign with assignee_id null.',
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
  }),

  tool('archive_issue: POST /graphql', {
    title: 'Archive an issue',
    description: 'Archive an issue. It disappears from all lists. restore_issue brings it back.',
    annotations: overwrites,
    scopes: ['write'],
    graphql: `mutation ArchiveIssue($id: String!) { issueArchive(id: $id) { success entity { identifier archivedAt } } }`,
    variables: { id: named('issue', issue('The issue.')) },
    at: '/data/issueArchive',
  }),

  tool('restore_issue: POST /graphql', {
    title: 'Restore an issue',
    description: 'Restore an archived issue. search_issues finds them with include_archived.',
    annotations: sets,
    scopes: ['write'],
    graphql: `mutation RestoreIssue($id: String!) { issueUnarchive(id: $id) { success entity { identifier url } } }`,
    variables: { id: named('issue', issue('The issue.')) },
    at: '/data/issueUnarchive',
  }),
]
