import { named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { adds, overwrites } from '../../annotations.ts'
import { id, issue } from '../arguments.ts'

const scopes = ['write']

const relateIssues = tool('relate_issues: POST /graphql', {
  title: 'Relate two issues',
  description:
    'Record that an issue blocks, duplicates or relates to another. Linear may also move a duplicate to its state for duplicates.',
  annotations: { ...adds, destructiveHint: true },
  scopes,
  graphql: `mutation RelateIssues($input: IssueRelationCreateInput!) {
  issueRelationCreate(input: $input) { success issueRelation { id type issue { identifier } relatedIssue { identifier } } }
}`,
  variables: {
    input: {
      issueId: named('issue', issue('The issue that blocks, or is the duplicate.')),
      relatedIssueId: named('related_issue', issue('The other issue.')),
      type: oneOf(['blocks', 'duplicate', 'related']),
    },
  },
  at: '/data/issueRelationCreate',
})

const removeRelation = tool('remove_relation: POST /graphql', {
  title: 'Remove a relation',
  description: 'Remove a relation between two issues.',
  annotations: overwrites,
  scopes,
  graphql: 'mutation RemoveRelation($id: String!) { issueRelationDelete(id: $id) { success } }',
  variables: {
    id: named('relation_id', id('The relation, from relations or inverseRelations of get_issue.')),
  },
  at: '/data/issueRelationDelete',
})

const linkUrl = tool('link_url: POST /graphql', {
  title: 'Link a page to an issue',
  description: 'Attach a URL (a document, a conversation, a pull request) to an issue.',
  scopes,
  graphql: `mutation LinkUrl($issueId: String!, $url: String!, $title: String) {
  attachmentLinkURL(issueId: $issueId, url: $url, title: $title) { success attachment { id title url } }
}`,
  variables: {
    issueId: named('issue', issue('The issue.')),
    url: text('The URL of the page.', 2048, { min: 0, pattern: '^https?://[^\\s]+$' }),
    title: optional(text('The title of the link.', 512)),
  },
  at: '/data/attachmentLinkURL',
})

const removeLink = tool('remove_link: POST /graphql', {
  title: 'Remove a link',
  description: 'Remove a linked page from an issue.',
  annotations: overwrites,
  scopes,
  graphql: 'mutation RemoveLink($id: String!) { attachmentDelete(id: $id) { success } }',
  variables: { id: named('link_id', id('The link, from attachments of get_issue.')) },
  at: '/data/attachmentDelete',
})

/** Linear tools for relations and links of issues. */
export const issueLinkTools = [relateIssues, removeRelation, linkUrl, removeLink]
