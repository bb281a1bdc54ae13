import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../../../schemas/string-enum.ts'
import { httpTool, pick } from '../../../../services/definitions/http-tool.ts'
import { reads } from '../../annotations.ts'
import { cursor, limit } from '../../paging.ts'
import { instant } from '../../times.ts'
import { graphql, id, issue, listOf, pageInfo, priority, teamKey } from '../arguments.ts'

const page = { limit: limit({ max: 100, default: 25 }), cursor }
const issueNode = `id identifier title url priorityLabel dueDate createdAt updatedAt
      state { name type } team { key } assignee { displayName } project { name } labels(first: 10) { nodes { name } }`

const searchIssues = httpTool({
  operation: 'search_issues',
  title: 'Search issues',
  description:
    'Search issues by words in title and description (optionally comments), best match first. To list issues by state, ' +
    'team or person use list_issues. Returns identifier, title, state, team, assignee and dates.',
  annotations: reads,
  scopes: ['read'],
  input: {
    term: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Words without search syntax: login crash safari.',
    }),
    team: Type.Optional(teamKey),
    include_comments: Type.Optional(Type.Boolean({ description: 'Also search comments.' })),
    include_archived: Type.Optional(Type.Boolean({ description: 'Include archived issues.' })),
    ...page,
  },
  ...listOf(
    'searchIssues',
    `query SearchIssues($term: String!, $first: Int, $after: String, $filter: IssueFilter, $comments: Boolean, $archived: Boolean) {
  searchIssues(term: $term, first: $first, after: $after, filter: $filter, includeComments: $comments, includeArchived: $archived) {
    nodes { ${issueNode} }
    ${pageInfo}
  }
}`,
    {
      term: '{term}',
      filter: { team: { key: { eq: '{team}' } } },
      comments: '{include_comments}',
      archived: '{include_archived}',
    },
  ),
})

const listIssues = httpTool({
  operation: 'list_issues',
  title: 'List issues',
  description:
    'List issues by team, state, person, project, label, priority or time. All given filters apply. For your work in ' +
    'progress: assigned_to_me true, state_types ["started"].',
  annotations: reads,
  scopes: ['read'],
  input: {
    team: Type.Optional(teamKey),
    assigned_to_me: Type.Optional(
      Type.Boolean({ description: 'true: only your issues. false: only those of others.' }),
    ),
    assignee_email: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 254,
        description: 'Only issues assigned to the person with this email address.',
      }),
    ),
    state: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Only issues in the state with this name: In Review.' }),
    ),
    state_types: Type.Optional(
      Type.Array(StringEnum(['triage', 'backlog', 'unstarted', 'started', 'completed', 'canceled', 'duplicate']), {
        minItems: 1,
        maxItems: 7,
        description: 'Only issues in states of these types.',
      }),
    ),
    project_id: Type.Optional(id('Only issues of this project, from list_projects.')),
    label: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Only issues with the label of this name.' }),
    ),
    priority: Type.Optional(priority),
    created_after: Type.Optional(instant('Only issues created after this time.')),
    updated_after: Type.Optional(instant('Only issues updated after this time.')),
    order_by: Type.Optional(
      StringEnum(['createdAt', 'updatedAt'], { description: 'Newest first. Default: createdAt.' }),
    ),
    ...page,
  },
  ...listOf(
    'issues',
    `query ListIssues($first: Int, $after: String, $filter: IssueFilter, $orderBy: PaginationOrderBy) {
  issues(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
    nodes { ${issueNode} }
    ${pageInfo}
  }
}`,
    {
      orderBy: '{order_by}',
      filter: {
        team: { key: { eq: '{team}' } },
        assignee: { isMe: { eq: '{assigned_to_me}' }, email: { eqIgnoreCase: '{assignee_email}' } },
        state: { name: { eqIgnoreCase: '{state}' }, type: { in: '{state_types}' } },
        project: { id: { eq: '{project_id}' } },
        labels: { name: { eqIgnoreCase: '{label}' } },
        priority: { eq: '{priority}' },
        createdAt: { gt: '{created_after}' },
        updatedAt: { gt: '{updated_after}' },
      },
    },
  ),
})

const getIssue = httpTool({
  operation: 'get_issue',
  title: 'Get an issue',
  description:
    'Read one issue: description, state, people, project, cycle, labels, parent, sub-issues and links. For its comments ' +
    'use list_comments. Pass the IDs in the result to update_issue.',
  annotations: reads,
  scopes: ['read'],
  input: { issue: issue('The issue.') },
  request: graphql(
    `query GetIssue($id: String!) {
  issue(id: $id) {
    id identifier title description url branchName priority priorityLabel estimate dueDate
    createdAt updatedAt startedAt completedAt canceledAt archivedAt
    state { id name type }
    team { id key name }
    creator { id displayName }
    assignee { id displayName email }
    project { id name }
    cycle { id number name }
    parent { identifier title }
    labels(first: 25) { nodes { id name } }
    children(first: 50) { nodes { identifier title state { name } } }
    attachments(first: 25) { nodes { title url } }
  }
}`,
    { id: '{issue}' },
  ),
  // The document names the fields to keep.
  result: pick('/data/issue', []),
})

const listComments = httpTool({
  operation: 'list_comments',
  title: 'List comments',
  description: 'List the comments of an issue: ID, text, author, time, and the comment that each replies to.',
  annotations: reads,
  scopes: ['read'],
  input: { issue: issue('The issue.'), ...page },
  ...listOf(
    'issue/comments',
    `query ListComments($id: String!, $first: Int, $after: String) {
  issue(id: $id) {
    comments(first: $first, after: $after) {
      nodes { id body url createdAt editedAt user { displayName } parent { id } }
      ${pageInfo}
    }
  }
}`,
    { id: '{issue}' },
  ),
})

/** Linear tools that read issues. */
export const issueTools = [searchIssues, listIssues, getIssue, listComments]
