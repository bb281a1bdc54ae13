import { flag, list, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { reads } from '../../annotations.ts'
import { day, instant } from '../../times.ts'
import {
  contains,
  eq,
  id,
  issue,
  like,
  listPages,
  onlyTeam,
  page,
  pageInfo,
  person,
  priority,
  state,
} from '../arguments.ts'

const scopes = ['read']
const STATE_TYPES = ['triage', 'backlog', 'unstarted', 'started', 'completed', 'canceled', 'duplicate'] as const
const stateTypes = list(oneOf(STATE_TYPES), 'Only issues in states of these types.', 7)
const ofPerson = like('assignee', person('Only issues of this person.'))
const issueNode = `id identifier title url priorityLabel dueDate createdAt updatedAt
      state { name type } team { key } assignee { displayName } project { name } labels(first: 10) { nodes { name } }`

const searchIssues = tool('search_issues: POST /graphql', {
  title: 'Search issues',
  description:
    'Search issues by words in title and description (optionally comments), best match first. To list issues by state, ' +
    'team or person use list_issues. Returns identifier, title, state, team, assignee and dates.',
  annotations: reads,
  scopes,
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
})

const listIssues = tool('list_issues: POST /graphql', {
  title: 'List issues',
  description:
    'List issues by team, state, person, project, label, cycle, priority or time. All given filters apply. For your work ' +
    'in progress: assigned_to_me true, state_types ["started"].',
  annotations: reads,
  scopes,
  graphql: `query ListIssues($first: Int, $after: String, $filter: IssueFilter, $orderBy: PaginationOrderBy) {
  issues(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { nodes { ${issueNode} } ${pageInfo} }
}`,
  variables: {
    orderBy: named('order_by', optional(oneOf(['createdAt', 'updatedAt'], 'Newest first. Default: createdAt.'))),
    filter: {
      team: { key: eq('team', onlyTeam) },
      assignee: {
        isMe: eq('assigned_to_me', flag('true: only your issues. false: only those of others.')),
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
})

const getIssue = tool('get_issue: POST /graphql', {
  title: 'Get an issue',
  description:
    'Read one issue: description, state, people, project, cycle, labels, parent, sub-issues, relations, links and ' +
    'documents. Comments: list_comments. Pass the IDs in the result to update_issue, remove_relation and remove_link.',
  annotations: reads,
  scopes,
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
})

/** Linear tools that read issues. */
export const issueTools = [searchIssues, listIssues, getIssue]
