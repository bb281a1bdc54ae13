import { list, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { overwrites, sets, tool, triggers } from '../../../../services/definitions/tool.ts'
import {
  contains,
  eq,
  findLabels,
  findOwnLabels,
  findTeam,
  findTeamOf,
  id,
  inName,
  issue,
  label,
  listPages,
  longPage,
  markdown,
  onlyTeam,
  page,
  pageInfo,
  query,
  teamKey,
} from '../arguments.ts'

const comment = named('comment_id', id('The comment, from list_comments.'))

const LABELS = 'success issue { identifier labels(first: 50) { nodes { id name } } }'
const names = (description: string) => list(label, `${description} From list_labels.`, 20)
const team = named('team', optional(teamKey('The team of the label. Default: the whole workspace.')))

/** Linear tools for the relations, links, comments and labels of issues. */
export const issueDetailTools = [
  tool('relate_issues: POST /graphql', {
    title: 'Relate two issues',
    description:
      'Record that an issue blocks, duplicates or relates to another. Linear may also move a duplicate to its state for duplicates.',
    annotations: triggers,
    scopes: ['write'],
    graphql: `mutation RelateIssues($input: IssueRelationCreateInput!) {
  issueRelationCreate(input: $input) { success issueRelation { id type issue { identifier } relatedIssue { identifier } } }
}`,
    variables: {
      input: {
        issueId: named('issue', issue('The issue that blocks, or is the duplicate.')),
        relatedIssueId: named('related_issue', issue('The other issue.')),
        type: oneOf(['blocks', 'duplicate', 'related'], 'How the first is related to the other.'),
      },
    },
    at: '/data/issueRelationCreate',
  }),

  tool('remove_relation: POST /graphql', {
    title: 'Remove a relation',
    description: 'Remove a relation between two issues.',
    annotations: overwrites,
    scopes: ['write'],
    graphql: 'mutation RemoveRelation($id: String!) { issueRelationDelete(id: $id) { success } }',
    variables: {
      id: named('relation_id', id('The relation, from relations or inverseRelations of get_issue.')),
    },
    at: '/data/issueRelationDelete',
  }),

  tool('link_url: POST /graphql', {
    title: 'Link a page to an issue',
    description: 'Attach a URL (a document, a conversation, a pull request) to an issue.',
    scopes: ['write'],
    graphql: `mutation LinkUrl($issueId: String!, $url: String!, $title: String) {
  attachmentLinkURL(issueId: $issueId, url: $url, title: $title) { success attachment { id title url } }
}`,
    variables: {
      issueId: named('issue', issue('The issue.')),
      url: text('The URL of the page.', 2048, { min: 0, pattern: '^https?://[^\\s]+$' }),
      title: optional(text('The title of the link.', 512)),
    },
    at: '/data/attachmentLinkURL',
  }),

  tool('remove_link: POST /graphql', {
    title: 'Remove a link',
    description: 'Remove a linked page from an issue.',
    annotations: overwrites,
    scopes: ['write'],
    graphql: 'mutation RemoveLink($id: String!) { attachmentDelete(id: $id) { success } }',
    variables: { id: named('link_id', id('The link, from attachments of get_issue.')) },
    at: '/data/attachmentDelete',
  }),

  tool('list_comments: POST /graphql', {
    title: 'List comments',
    description: 'List the comments of an issue: ID, text, author, time, and the comment that each replies to.',
    ...query,
    graphql: `query ListComments($id: String!, $first: Int, $after: String) {
  issue(id: $id) {
    comments(first: $first, after: $after) {
      nodes { id body url createdAt editedAt resolvedAt user { displayName } parent { id } } ${pageInfo}
    }
  }
}`,
    variables: { id: named('issue', issue('The issue.')), ...page },
    pagination: listPages('issue/comments'),
  }),

  tool('add_comment: POST /graphql', {
    title: 'Comment',
    description: 'Comment on an issue, or reply to one of its comments. Everyone who follows the issue is notified.',
    scopes: ['comments:create'],
    graphql: `mutation AddComment($input: CommentCreateInput!) {
  commentCreate(input: $input) { success comment { id url createdAt } }
}`,
    variables: {
      input: {
        issueId: named('issue', issue('The issue.')),
        body: markdown('The comment.'),
        parentId: optional(id('The comment this replies to, from list_comments.')),
      },
    },
    at: '/data/commentCreate',
  }),

  tool('update_comment: POST /graphql', {
    title: 'Update a comment',
    description: 'Replace the text of a comment of yours.',
    annotations: overwrites,
    scopes: ['write'],
    graphql: `mutation UpdateComment($id: String!, $input: CommentUpdateInput!) {
  commentUpdate(id: $id, input: $input) { success comment { id url editedAt } }
}`,
    variables: { id: comment, input: { body: markdown('The full new comment.') } },
    at: '/data/commentUpdate',
  }),

  tool('delete_comment: POST /graphql', {
    title: 'Delete a comment',
    description: 'Delete a comment. It cannot be restored.',
    annotations: overwrites,
    scopes: ['write'],
    graphql: 'mutation DeleteComment($id: String!) { commentDelete(id: $id) { success } }',
    variables: { id: comment },
    at: '/data/commentDelete',
  }),

  tool('list_labels: POST /graphql', {
    title: 'List labels',
    description: 'List issue labels with names and IDs. Labels without a team belong to the workspace.',
    ...query,
    graphql: `query ListLabels($first: Int, $after: String, $filter: IssueLabelFilter) {
  issueLabels(first: $first, after: $after, filter: $filter) {
    nodes { id name isGroup description team { key } parent { name } } ${pageInfo}
  }
}`,
    variables: {
      filter: {
        name: contains('name', inName),
        team: { key: eq('team', onlyTeam) },
      },
      ...longPage,
    },
    pagination: listPages('issueLabels'),
  }),

  tool('create_label: POST /graphql', {
    title: 'Create a label',
    description:
      'Create a label for the issues of a team, or of the whole workspace. Look for an existing one with list_labels.',
    scopes: ['write', 'read'],
    steps: [findTeam(team)],
    graphql: `mutation CreateLabel($input: IssueLabelCreateInput!) {
  issueLabelCreate(input: $input) { success issueLabel { id name color team { key } } }
}`,
    variables: {
      input: {
        name: { ...label, description: 'The name.' },
        color: optional(text('The color: #5e6ad2.', 7, { pattern: '^#[0-9a-fA-F]{6}$' })),
        description: optional(text('What the label means.', 255)),
        teamId: '{find_team.id}',
      },
    },
    at: '/data/issueLabelCreate',
  }),

  tool('add_labels: POST /graphql', {
    title: 'Label an issue',
    description: 'Add labels to an issue by name. Its other labels stay. Returns all labels.',
    annotations: sets,
    scopes: ['write', 'read'],
    path: { issue: issue('The issue.'), labels: names('The names of the labels.') },
    steps: [findTeamOf(['labels']), findLabels('labels', '{find_issue.id}')],
    graphql: `mutation AddLabels($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { ${LABELS} } }`,
    variables: { id: '{issue}', input: { addedLabelIds: '{find_labels.id}' } },
    at: '/data/issueUpdate',
  }),

  tool('remove_labels: POST /graphql', {
    title: 'Remove labels from an issue',
    description: 'Remove labels from an issue by name. Returns the remaining labels.',
    annotations: overwrites,
    scopes: ['write', 'read'],
    path: { issue: issue('The issue.'), labels: names('The names of labels that the issue has.') },
    steps: [findOwnLabels('labels')],
    graphql: `mutation RemoveLabels($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { ${LABELS} } }`,
    variables: { id: '{issue}', input: { removedLabelIds: '{find_own_labels.id}' } },
    at: '/data/issueUpdate',
  }),
]
