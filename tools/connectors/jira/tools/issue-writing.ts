import { Type } from '@sinclair/typebox'
import { done, httpTool, pick } from '../../../../services/definitions/http-tool.ts'
import { adds, overwrites } from '../../annotations.ts'
import { day } from '../../times.ts'
import { accountId, documentOf, issue, numericId, project, text } from '../arguments.ts'

const summary = Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\r\\n]+$', description: 'One line.' })
const labels = Type.Array(Type.String({ minLength: 1, maxLength: 255, pattern: '^\\S+$' }), {
  maxItems: 50,
  description: 'Labels, without spaces.',
})
const priority = Type.String({
  minLength: 1,
  maxLength: 60,
  description: 'By name: Highest, High, Medium, Low, Lowest.',
})

const createIssue = httpTool({
  operation: 'create_issue',
  title: 'Create an issue',
  description:
    'Create an issue in a project. The types a project has come from list_issue_types. Answers with its key. Search ' +
    'first whether there is one already.',
  annotations: adds,
  scopes: ['write:jira-work'],
  input: {
    project,
    issue_type: Type.String({
      minLength: 1,
      maxLength: 60,
      description: 'By name: Task, Bug, Story, Epic, Sub-task.',
    }),
    summary,
    description: Type.Optional(text('What it is about.')),
    assignee_id: Type.Optional(accountId('Who does it.')),
    priority: Type.Optional(priority),
    labels: Type.Optional(labels),
    parent: Type.Optional({ ...issue, description: 'The issue it is a part of: an epic, or that of a sub-task.' }),
    due_date: Type.Optional(day('When it is due.')),
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
    'Change fields of an issue; what is left out stays. labels replaces all it has, description the whole text. For the ' +
    'status use transition_issue, for the assignee assign_issue. Give at least one argument beside issue.',
  annotations: overwrites,
  scopes: ['write:jira-work'],
  input: {
    issue,
    summary: Type.Optional(summary),
    description: Type.Optional(text('What it is about, whole.')),
    priority: Type.Optional(priority),
    labels: Type.Optional(labels),
    parent: Type.Optional({ ...issue, description: 'The issue it is a part of.' }),
    due_date: Type.Optional(day('When it is due.')),
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
  description: 'Give an issue to a person, or to nobody (account_id null).',
  annotations: overwrites,
  scopes: ['write:jira-work'],
  input: { issue, account_id: Type.Union([accountId('Who does it.'), Type.Null()]) },
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
  description: 'Move an issue to another status by one of the transitions of list_transitions.',
  annotations: overwrites,
  scopes: ['write:jira-work'],
  input: { issue, transition_id: numericId('The id of the transition; it comes from list_transitions.') },
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
  description: 'Say how two issues belong together: with type Blocks, inward_issue blocks outward_issue.',
  annotations: adds,
  scopes: ['write:jira-work'],
  input: {
    type: Type.String({ minLength: 1, maxLength: 60, description: 'By name: Blocks, Relates, Duplicate, Cloners.' }),
    inward_issue: { ...issue, description: 'The issue that blocks, duplicates, relates: ENG-1.' },
    outward_issue: { ...issue, description: 'The other one: ENG-2.' },
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

/** What writes to Jira's issues. */
export const issueWritingTools = [createIssue, updateIssue, assignIssue, transitionIssue, linkIssues]
