import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../../../schemas/string-enum.ts'
import { httpTool, pick } from '../../../../services/definitions/http-tool.ts'
import { adds, overwrites } from '../../annotations.ts'
import { day } from '../../times.ts'
import { graphql, id, issue, markdown, priority } from '../arguments.ts'

const title = Type.String({ minLength: 1, maxLength: 512, description: 'One line.' })
const estimate = Type.Integer({ minimum: 0, maximum: 64, description: 'In the points of the team’s scale.' })
const written =
  'success issue { id identifier title url state { name } assignee { displayName } priorityLabel updatedAt }'

const createIssue = httpTool({
  operation: 'create_issue',
  title: 'Create an issue',
  description:
    'Create an issue in a team. Ids come from list_teams, list_states, list_labels, list_users and list_projects. ' +
    'Answers with its identifier (ENG-123) and URL. Search first whether there is one already.',
  annotations: adds,
  scopes: ['issues:create'],
  input: {
    team_id: id('The team it belongs to, from list_teams.'),
    title,
    description: Type.Optional(markdown('What it is about.')),
    state_id: Type.Optional(id('The state it begins in, from list_states; the team’s own choice when left out.')),
    assignee_id: Type.Optional(id('Who does it, from list_users.')),
    priority: Type.Optional(priority),
    label_ids: Type.Optional(Type.Array(id('A label, from list_labels.'), { maxItems: 50 })),
    project_id: Type.Optional(id('The project it belongs to, from list_projects.')),
    cycle_id: Type.Optional(id('The cycle it belongs to, from list_cycles.')),
    parent: Type.Optional(issue('The issue it is a part of.')),
    estimate: Type.Optional(estimate),
    due_date: Type.Optional(day('When it is due.')),
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
    'Change an issue; what is left out stays. To move it to another state give state_id (list_states of its team). ' +
    'Labels are added and removed one by one, the others stay. Give at least one argument beside issue.',
  annotations: overwrites,
  scopes: ['write'],
  input: {
    issue: issue('The issue.'),
    title: Type.Optional(title),
    description: Type.Optional(markdown('What it is about, whole.')),
    state_id: Type.Optional(id('The state it is to be in, from list_states.')),
    assignee_id: Type.Optional(id('Who does it from now on, from list_users.')),
    priority: Type.Optional(priority),
    add_label_ids: Type.Optional(Type.Array(id('A label, from list_labels.'), { maxItems: 50 })),
    remove_label_ids: Type.Optional(Type.Array(id('A label, from list_labels.'), { maxItems: 50 })),
    project_id: Type.Optional(id('The project it is to belong to, from list_projects.')),
    cycle_id: Type.Optional(id('The cycle it is to belong to, from list_cycles.')),
    parent: Type.Optional(issue('The issue it is a part of.')),
    estimate: Type.Optional(estimate),
    due_date: Type.Optional(day('When it is due.')),
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
  description: 'Archive an issue: it goes from all lists and can be brought back in Linear.',
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
  description: 'Comment on an issue, or reply to a comment of it. Everyone who follows the issue is told.',
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
  description: 'Say that an issue blocks another, duplicates it, or has to do with it.',
  annotations: adds,
  scopes: ['write'],
  input: {
    issue: issue('The issue that blocks, or is the duplicate.'),
    related_issue: issue('The other one.'),
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
    url: Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2048, description: 'The address of the page.' }),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: 'What the link is called.' })),
  },
  request: graphql(
    `mutation LinkUrl($issueId: String!, $url: String!, $title: String) {
  attachmentLinkURL(issueId: $issueId, url: $url, title: $title) { success attachment { id title url } }
}`,
    { issueId: '{issue}', url: '{url}', title: '{title}' },
  ),
  result: pick('/data/attachmentLinkURL', []),
})

/** What writes to Linear's issues. */
export const issueWritingTools = [createIssue, updateIssue, archiveIssue, addComment, relateIssues, linkUrl]
