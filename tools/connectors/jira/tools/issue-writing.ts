import { Type } from '@sinclair/typebox'
import {
  clearable,
  clearing,
  converted,
  list,
  members,
  named,
  optional,
  text,
} from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites } from '../../annotations.ts'
import { day } from '../../times.ts'
import { accountId, issue, issueOf, markdown, numericId, project, reference } from '../arguments.ts'

const scopes = ['write:jira-work']
const summary = text('The title, on one line.', 255, { pattern: '^[^\\r\\n]+$' })
const labels = list(text('', 255, { pattern: '^\\S+$' }), 'Labels, without spaces.', 50, { min: 0 })
const priority = text('The name: Highest, High, Medium, Low, Lowest.', 60)
const otherFields = (lister: string) =>
  named(
    'other_fields',
    optional(
      members(
        `Custom and other fields by ID, from ${lister}, in the form of their types: {"customfield_10016": 5}.`,
        50,
      ),
    ),
  )

const createIssue = tool('create_issue: POST /rest/api/3/issue', {
  title: 'Create an issue',
  description:
    'Create an issue in a project. list_issue_types returns the types of a project, list_create_fields the fields that it ' +
    'requires. Returns its key. Search for an existing issue first.',
  scopes,
  json: {
    fields: {
      project: reference(project),
      issuetype: { name: named('issue_type', text('The name: Task, Bug, Story, Epic, Sub-task.', 60)) },
      summary,
      description: converted('markdown-to-adf', optional(markdown('The description.'))),
      assignee: { id: named('assignee_id', optional(accountId('The assignee.'))) },
      priority: { name: named('priority', optional(priority)) },
      labels: optional(labels),
      parent: reference(optional(issueOf('The parent: an epic, or the issue of a sub-task.'))),
      duedate: named('due_date', optional(day('The due date.'))),
      '...': otherFields('list_create_fields'),
    },
  },
  keep: 'id key',
})

const updateIssue = tool('update_issue: PUT /rest/api/3/issue/{issue}', {
  title: 'Update an issue',
  description:
    'Update fields of an issue. Omitted fields stay unchanged. labels replaces all labels, description the whole text. To ' +
    'change the status use transition_issue; the assignee, assign_issue.',
  scopes,
  path: { issue },
  json: {
    fields: {
      summary: optional(summary),
      description: converted('markdown-to-adf', clearable(markdown('The full new description.'))),
      priority: clearing({ name: named('priority', clearable(priority)) }),
      labels: optional(labels),
      parent: reference(clearable(issueOf('The parent issue.'))),
      duedate: named('due_date', clearable(day('The due date.'))),
      '...': otherFields('list_edit_fields'),
    },
  },
  returns: done('{issue} was changed.'),
})

const assignIssue = tool('assign_issue: PUT /rest/api/3/issue/{issue}/assignee', {
  title: 'Assign an issue',
  description: 'Assign an issue to a person, or to nobody (account_id null).',
  scopes,
  path: { issue },
  json: { accountId: Type.Union([accountId('The assignee.'), Type.Null()]) },
  returns: done('{issue} was assigned.'),
})

const transitionIssue = tool('transition_issue: POST /rest/api/3/issue/{issue}/transitions', {
  title: 'Move an issue',
  description: 'Move an issue to another status with a transition from list_transitions.',
  annotations: overwrites,
  scopes,
  path: { issue },
  json: { transition: { id: named('transition_id', numericId('The ID of the transition, from list_transitions.')) } },
  returns: done('{issue} was moved.'),
})

const linkIssues = tool('link_issues: POST /rest/api/3/issueLink', {
  title: 'Link two issues',
  description:
    'Link two issues. With type Blocks, inward_issue blocks outward_issue. list_link_types returns the types.',
  scopes,
  json: {
    type: { name: named('type', text('The name: Blocks, Relates, Duplicate, Cloners.', 60)) },
    inwardIssue: reference(issueOf('The issue that blocks, duplicates or relates.')),
    outwardIssue: reference(issueOf('The other issue.')),
  },
  returns: done('{inward_issue} and {outward_issue} are linked.'),
})

const unlinkIssues = tool('unlink_issues: DELETE /rest/api/3/issueLink/{link_id}', {
  title: 'Remove a link',
  description: 'Remove a link between two issues.',
  scopes,
  path: { link_id: numericId('The ID of the link, from issuelinks of get_issue.') },
  returns: done('The link was removed.'),
})

/** Jira tools that write issues. */
export const issueWritingTools = [createIssue, updateIssue, assignIssue, transitionIssue, linkIssues, unlinkIssues]
