import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../../../schemas/string-enum.ts'
import { httpTool, pick } from '../../../../services/definitions/http-tool.ts'
import { adds, overwrites } from '../../annotations.ts'
import { day } from '../../times.ts'
import { graphql, id, issue, markdown, priority } from '../arguments.ts'

const title = Type.String({ minLength: 1, maxLength: 512, description: 'The title, on one line.' })
const estimate = Type.Integer({ minimum: 0, maximum: 64, description: 'Points on the team’s scale.' })
const written =
  'success issue { id identifier title url state { name } assignee { displayName } priorityLabel updatedAt }'

const createIssue = httpTool({
  operation: 'create_issue',
  title: 'Create an issue',
  description:
    'Create an issue in a team. IDs come from list_teams, list_states, list_labels, list_users and list_projects. ' +
    'Returns its identifier (ENG-123) and URL. Search for an existing issue first.',
  annotations: adds,
  scopes: ['issues:create'],
  input: {
    team_id: id('The team, from list_teams.'),
    title,
    description: Type.Optional(markdown('The description.')),
    state_id: Type.Optional(id('The initial state, from list_states. Default: the team’s default state.')),
    assignee_id: Type.Optional(id('The assignee, from list_users.')),
    priority: Type.Optional(priority),
    label_ids: Type.Optional(Type.Array(id('A label, from list_labels.'), { maxItems: 50 })),
    project_id: Type.Optional(id('The project, from list_projects.')),
    cycle_id: Type.Optional(id('The cycle, from list_cycles.')),
    parent: Type.Optional(issue('The parent issue.')),
    estimate: Type.Optional(estimate),
    due_date: Type.Optional(day('The due date.')),
  },
  request: graphql(
    `mutation CreateIssue($input: IssueCreateInput!) {
  issueCreate(input: $input) { ${written} }
}`,
    {
      input: {
        teamId: '{team_id}',
        title: '{title}',
        description: '{description}',
        stateId: '{state_id}',
        assigneeId: '{assignee_id}',
        priority: '{priority}',
        labelIds: '{label_ids}',
        projectId: '{project_id}',
        cycleId: '{cycle_id}',
        parentId: '{parent}',
        estimate: '{estimate}',
        dueDate: '{due_date}',
      },
    },
  ),
  result: pick('/data/issueCreate', []),
})

const updateIssue = httpTool({
  operation: 'update_issue',
  title: 'Update an issue',
  description:
    'Update an issue. Omitted fields stay unchanged. To change the state give state_id (list_states of its team). Labels ' +
    'are added and removed one by one; the others stay. Give at least one argument besides issue.',
  annotations: overwrites,
  scopes: ['write'],
  input: {
    issue: issue('The issue.'),
    title: Type.Optional(title),
    description: Type.Optional(markdown('The full new description.')),
    state_id: Type.Optional(id('The new state, from list_states.')),
    assignee_id: Type.Optional(id('The new assignee, from list_users.')),
    priority: Type.Optional(priority),
    add_label_ids: Type.Optional(Type.Array(id('A label, from list_labels.'), { maxItems: 50 })),
    remove_label_ids: Type.Optional(Type.Array(id('A label, from list_labels.'), { maxItems: 50 })),
    project_id: Type.Optional(id('The new project, from list_projects.')),
    cycle_id: Type.Optional(id('The new cycle, from list_cycles.')),
    parent: Type.Optional(issue('The parent issue.')),
    estimate: Type.Optional(estimate),
    due_date: Type.Optional(day('The due date.')),
  },
  request: graphql(
    `mutation UpdateIssue($id: String!, $input: IssueUpdateInput!) {
  issueUpdate(id: $id, input: $input) { ${written} }
}`,
    {
      id: '{issue}',
      input: {
        title: '{title}',
        description: '{description}',
        stateId: '{state_id}',
        assigneeId: '{assignee_id}',
        priority: '{priority}',
        addedLabelIds: '{add_label_ids}',
        removedLabelIds: '{remove_label_ids}',
        projectId: '{project_id}',
        cycleId: '{cycle_id}',
        parentId: '{parent}',
        estimate: '{estimate}',
        dueDate: '{due_date}',
      },
    },
  ),
  result: pick('/data/issueUpdate', []),
})

const archiveIssue = httpTool({
  operation: 'archive_issue',
  title: 'Archive an issue',
  description: 'Archive an issue. It disappears from all lists and can be restored in Linear.',
  annotations: overwrites,
  scopes: ['write'],
  input: { issue: issue('The issue.') },
  request: graphql(
    `mutation ArchiveIssue($id: String!) {
  issueArchive(id: $id) { success entity { identifier archivedAt } }
}`,
    { id: '{issue}' },
  ),
  result: pick('/data/issueArchive', []),
})

const addComment = httpTool({
  operation: 'add_comment',
  title: 'Comment',
  description: 'Comment on an issue, or reply to one of its comments. Everyone who follows the issue is notified.',
  annotations: adds,
  scopes: ['comments:create'],
  input: {
    issue: issue('The issue.'),
    body: markdown('The comment.'),
    parent_id: Type.Optional(id('The comment this replies to, from list_comments.')),
  },
  request: graphql(
    `mutation AddComment($input: CommentCreateInput!) {
  commentCreate(input: $input) { success comment { id url createdAt } }
}`,
    { input: { issueId: '{issue}', body: '{body}', parentId: '{parent_id}' } },
  ),
  result: pick('/data/commentCreate', []),
})

const relateIssues = httpTool({
  operation: 'relate_issues',
  title: 'Relate two issues',
  description: 'Record that an issue blocks, duplicates or relates to another.',
  annotations: adds,
  scopes: ['write'],
  input: {
    issue: issue('The issue that blocks, or is the duplicate.'),
    related_issue: issue('The other issue.'),
    type: StringEnum(['blocks', 'duplicate', 'related']),
  },
  request: graphql(
    `mutation RelateIssues($input: IssueRelationCreateInput!) {
  issueRelationCreate(input: $input) { success issueRelation { id type issue { identifier } relatedIssue { identifier } } }
}`,
    { input: { issueId: '{issue}', relatedIssueId: '{related_issue}', type: '{type}' } },
  ),
  result: pick('/data/issueRelationCreate', []),
})

const linkUrl = httpTool({
  operation: 'link_url',
  title: 'Link a page to an issue',
  description: 'Attach a URL (a document, a conversation, a pull request) to an issue.',
  annotations: adds,
  scopes: ['write'],
  input: {
    issue: issue('The issue.'),
    url: Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2048, description: 'The URL of the page.' }),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: 'The title of the link.' })),
  },
  request: graphql(
    `mutation LinkUrl($issueId: String!, $url: String!, $title: String) {
  attachmentLinkURL(issueId: $issueId, url: $url, title: $title) { success attachment { id title url } }
}`,
    { issueId: '{issue}', url: '{url}', title: '{title}' },
  ),
  result: pick('/data/attachmentLinkURL', []),
})

/** Linear tools that write issues. */
export const issueWritingTools = [createIssue, updateIssue, archiveIssue, addComment, relateIssues, linkUrl]
