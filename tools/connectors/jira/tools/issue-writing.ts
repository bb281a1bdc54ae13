import { Type } from '@sinclair/typebox'
import { done, httpTool, pick } from '../../../../services/definitions/http-tool.ts'
import { adds, overwrites } from '../../annotations.ts'
import { day } from '../../times.ts'
import { accountId, documentOf, issue, numericId, project, text } from '../arguments.ts'

const summary = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\r\\n]+$',
  description: 'The title, on one line.',
})
const labels = Type.Array(Type.String({ minLength: 1, maxLength: 255, pattern: '^\\S+$' }), {
  maxItems: 50,
  description: 'Labels, without spaces.',
})
const priority = Type.String({
  minLength: 1,
  maxLength: 60,
  description: 'The name: Highest, High, Medium, Low, Lowest.',
})

const createIssue = httpTool({
  operation: 'create_issue',
  title: 'Create an issue',
  description:
    'Create an issue in a project. list_issue_types returns the types of a project. Returns its key. Search for an ' +
    'existing issue first.',
  annotations: adds,
  scopes: ['write:jira-work'],
  input: {
    project,
    issue_type: Type.String({
      minLength: 1,
      maxLength: 60,
      description: 'The name: Task, Bug, Story, Epic, Sub-task.',
    }),
    summary,
    description: Type.Optional(text('The description.')),
    assignee_id: Type.Optional(accountId('The assignee.')),
    priority: Type.Optional(priority),
    labels: Type.Optional(labels),
    parent: Type.Optional({ ...issue, description: 'The parent issue: an epic, or the issue of a sub-task.' }),
    due_date: Type.Optional(day('The due date.')),
  },
  request: {
    method: 'POST',
    path: '/rest/api/3/issue',
    body: {
      json: {
        fields: {
          project: { key: '{project}' },
          issuetype: { name: '{issue_type}' },
          summary: '{summary}',
          description: documentOf('description'),
          assignee: { id: '{assignee_id}' },
          priority: { name: '{priority}' },
          labels: '{labels}',
          parent: { key: '{parent}' },
          duedate: '{due_date}',
        },
      },
    },
  },
  result: pick('', ['id', 'key']),
})

const updateIssue = httpTool({
  operation: 'update_issue',
  title: 'Update an issue',
  description:
    'Update fields of an issue. Omitted fields stay unchanged. labels replaces all labels, description the whole text. To ' +
    'change the status use transition_issue; the assignee, assign_issue. Give at least one argument besides issue.',
  annotations: overwrites,
  scopes: ['write:jira-work'],
  input: {
    issue,
    summary: Type.Optional(summary),
    description: Type.Optional(text('The full new description.')),
    priority: Type.Optional(priority),
    labels: Type.Optional(labels),
    parent: Type.Optional({ ...issue, description: 'The parent issue.' }),
    due_date: Type.Optional(day('The due date.')),
  },
  request: {
    method: 'PUT',
    path: '/rest/api/3/issue/{issue}',
    body: {
      json: {
        fields: {
          summary: '{summary}',
          description: documentOf('description'),
          priority: { name: '{priority}' },
          labels: '{labels}',
          parent: { key: '{parent}' },
          duedate: '{due_date}',
        },
      },
    },
  },
  result: done('{issue} was changed.'),
})

const assignIssue = httpTool({
  operation: 'assign_issue',
  title: 'Assign an issue',
  description: 'Assign an issue to a person, or to nobody (account_id null).',
  annotations: overwrites,
  scopes: ['write:jira-work'],
  input: { issue, account_id: Type.Union([accountId('The assignee.'), Type.Null()]) },
  request: {
    method: 'PUT',
    path: '/rest/api/3/issue/{issue}/assignee',
    body: { json: { accountId: '{account_id}' } },
  },
  result: done('{issue} was assigned.'),
})

const transitionIssue = httpTool({
  operation: 'transition_issue',
  title: 'Move an issue',
  description: 'Move an issue to another status with a transition from list_transitions.',
  annotations: overwrites,
  scopes: ['write:jira-work'],
  input: { issue, transition_id: numericId('The ID of the transition, from list_transitions.') },
  request: {
    method: 'POST',
    path: '/rest/api/3/issue/{issue}/transitions',
    body: { json: { transition: { id: '{transition_id}' } } },
  },
  result: done('{issue} was moved.'),
})

const linkIssues = httpTool({
  operation: 'link_issues',
  title: 'Link two issues',
  description: 'Link two issues. With type Blocks, inward_issue blocks outward_issue.',
  annotations: adds,
  scopes: ['write:jira-work'],
  input: {
    type: Type.String({ minLength: 1, maxLength: 60, description: 'The name: Blocks, Relates, Duplicate, Cloners.' }),
    inward_issue: { ...issue, description: 'The issue that blocks, duplicates or relates: ENG-1.' },
    outward_issue: { ...issue, description: 'The other issue: ENG-2.' },
  },
  request: {
    method: 'POST',
    path: '/rest/api/3/issueLink',
    body: {
      json: {
        type: { name: '{type}' },
        inwardIssue: { key: '{inward_issue}' },
        outwardIssue: { key: '{outward_issue}' },
      },
    },
  },
  result: done('{inward_issue} and {outward_issue} are linked.'),
})

/** Jira tools that write issues. */
export const issueWritingTools = [createIssue, updateIssue, assignIssue, transitionIssue, linkIssues]
