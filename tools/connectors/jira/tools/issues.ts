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
import { adds, overwrites, reads, tool } from '../../../../services/definitions/tool.ts'
import { day, pageSize, pageStart, replace_all } from '../../shared-arguments.ts'
import {
  accountId,
  issue,
  issueOf,
  markdown,
  numericId,
  project,
  readScopes,
  reference,
  writeScopes,
} from '../arguments.ts'

/** The query of lists that page by offset. */
const listQuery = { startAt: pageStart, maxResults: pageSize(50, 50) }

const jql = text('JQL with at least one restriction, such as project = ENG or assignee = currentUser().', 10_000)
const askedFields =
  'summary status issuetype priority assignee reporter labels parent project created updated duedate'.split(' ')
const keptFields = `summary status { name statusCategory { name } } issuetype { name } priority { name }
  assignee { displayName accountId } reporter { displayName } labels parent { key } project { key } created updated duedate`

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

const peopleScopes = ['read:jira-user']

/** Jira tools that read and write issues. */
export const issueTools = [
  tool('search_issues: POST /rest/api/3/search/jql', {
    title: 'Search issues',
    description:
      'Search issues with JQL. Example: project = ENG AND statusCategory != Done AND assignee = currentUser() ORDER ' +
      'BY updated DESC. To search words: text ~ "login crash". A query without a restriction fails. Returns key, ' +
      'summary, status, type, priority, people and dates. Read one with get_issue.',
    annotations: reads,
    scopes: readScopes,
    json: { jql, maxResults: pageSize(25, 100), nextPageToken: pageStart, fields: askedFields },
    pagination: { style: 'cursor', items: '/issues', next: '/nextPageToken' },
    keep: `id key fields { ${keptFields} }`,
  }),

  tool('count_issues: POST /rest/api/3/search/approximate-count', {
    title: 'Count issues',
    description: 'Count the issues that match JQL. The count is approximate and can lag by some seconds.',
    annotations: reads,
    scopes: readScopes,
    json: { jql },
    keep: 'count',
  }),

  tool('get_issue: GET /rest/api/3/issue/{issue}', {
    title: 'Get an issue',
    description:
      'Read one issue: description (Markdown; warning says what it lacks), status, people, dates, links, sub-tasks ' +
      'and attachments (pass their IDs to download_attachment). For its comments use list_comments; for its custom ' +
      'fields, list_edit_fields.',
    scopes: readScopes,
    path: { issue },
    query: {
      fields: [
        ...askedFields,
        'description',
        'resolution',
        'resolutiondate',
        'subtasks',
        'issuelinks',
        'attachment',
      ].join(),
    },
    keep: `id key fields { ${keptFields} description|adf-to-markdown resolution { name } resolutiondate
    subtasks { key fields { summary status { name } } }
    issuelinks { id type { name inward outward } outwardIssue { key fields { summary } } inwardIssue { key fields { summary } } }
    attachment { id filename mimeType size } }`,
  }),

  tool('list_transitions: GET /rest/api/3/issue/{issue}/transitions', {
    title: 'List transitions',
    description:
      'List the transitions from the current status of an issue: the ID for transition_issue, and the resulting status.',
    scopes: readScopes,
    path: { issue },
    at: '/transitions',
    keep: 'id name to { name statusCategory { name } }',
  }),

  tool('list_edit_fields: GET /rest/api/3/issue/{issue}/editmeta', {
    title: 'List the fields of an issue',
    description:
      'List the fields of an issue that update_issue can set, custom ones included: ID (such as customfield_10016), ' +
      'name, type and allowed values. For the fields of a new issue use list_create_fields.',
    scopes: readScopes,
    path: { issue },
    at: '/fields',
    keep: '* { name required schema { type items custom } allowedValues { id name value } }',
  }),

  tool('create_issue: POST /rest/api/3/issue', {
    title: 'Create an issue',
    description:
      'Create an issue in a project. list_issue_types returns the types of a project, list_create_fields the fields ' +
      'that it requires. Returns its key. Search for an existing issue first.',
    scopes: writeScopes,
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
  }),

  tool('update_issue: PUT /rest/api/3/issue/{issue}', {
    title: 'Update an issue',
    description:
      'Update fields of an issue. Omitted fields stay unchanged. labels replaces all labels, description the whole ' +
      'text (append_to_description adds to it). To change the status use transition_issue; the assignee, ' +
      'assign_issue.',
    scopes: [...writeScopes, ...readScopes],
    path: { issue, replace_all },
    steps: [
      {
        step: 'now: GET /rest/api/3/issue/{issue}',
        query: { fields: 'description' },
        given: ['description'],
        guard: {
          form: 'adf',
          at: '/fields/description',
          unless: 'replace_all',
          instead: 'add text with append_to_description',
        },
      },
    ],
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
  }),

  tool('append_to_description: PUT /rest/api/3/issue/{issue}', {
    title: 'Append to a description',
    description:
      'Add Markdown at the end of the description of an issue. The existing text stays unchanged, including panels and images.',
    annotations: adds,
    scopes: [...writeScopes, ...readScopes],
    path: { issue },
    steps: [
      {
        step: 'now: GET /rest/api/3/issue/{issue}',
        query: { fields: 'description' },
        keep: { fields: '/fields' },
      },
    ],
    json: {
      fields: {
        description: converted('append-to-adf', {
          fields: '{now.fields}',
          markdown: named('markdown', markdown('The text to add.')),
        }),
      },
    },
    returns: done('The text was added to {issue}.'),
  }),

  tool('assign_issue: PUT /rest/api/3/issue/{issue}/assignee', {
    title: 'Assign an issue',
    description: 'Assign an issue to a person, or unassign it (account_id null).',
    scopes: writeScopes,
    path: { issue },
    json: {
      accountId: Type.Union([accountId('The assignee.'), Type.Null()], {
        description: 'The assignee, or null for nobody.',
      }),
    },
    returns: done('{issue} was assigned.'),
  }),

  tool('transition_issue: POST /rest/api/3/issue/{issue}/transitions', {
    title: 'Move an issue',
    description: 'Move an issue to another status with a transition from list_transitions.',
    annotations: overwrites,
    scopes: writeScopes,
    path: { issue },
    json: { transition: { id: named('transition_id', numericId('The ID of the transition, from list_transitions.')) } },
    returns: done('{issue} was moved.'),
  }),

  tool('link_issues: POST /rest/api/3/issueLink', {
    title: 'Link two issues',
    description:
      'Link two issues. With type Blocks, inward_issue blocks outward_issue. list_link_types returns the types.',
    scopes: writeScopes,
    json: {
      type: { name: named('type', text('The name: Blocks, Relates, Duplicate, Cloners.', 60)) },
      inwardIssue: reference(issueOf('The issue that blocks, duplicates or relates.')),
      outwardIssue: reference(issueOf('The other issue.')),
    },
    returns: done('{inward_issue} and {outward_issue} are linked.'),
  }),

  tool('unlink_issues: DELETE /rest/api/3/issueLink/{link_id}', {
    title: 'Remove a link',
    description: 'Remove a link between two issues.',
    scopes: writeScopes,
    path: { link_id: numericId('The ID of the link, from issuelinks of get_issue.') },
    returns: done('The link was removed.'),
  }),
]

/** Jira tools for what issues refer to: projects, types, fields and people. */
export const projectTools = [
  tool('list_projects: GET /rest/api/3/project/search', {
    title: 'List projects',
    description: 'List the projects that you can see, optionally filtered by name or key: key, name, type and lead.',
    scopes: readScopes,
    query: { query: optional(text('A part of the name or key.', 200)), ...listQuery, expand: 'lead,description' },
    pagination: { style: 'offset', items: '/values', total: '/total' },
    keep: 'id key name projectTypeKey description lead { displayName } archived',
  }),

  tool('list_issue_types: GET /rest/api/3/issue/createmeta/{project}/issuetypes', {
    title: 'List issue types',
    description: 'List the issue types that you can create in a project with create_issue.',
    scopes: readScopes,
    path: { project },
    query: listQuery,
    pagination: { style: 'offset', items: '/issueTypes', total: '/total' },
    keep: 'id name description subtask hierarchyLevel',
  }),

  tool('list_create_fields: GET /rest/api/3/issue/createmeta/{project}/issuetypes/{type_id}', {
    title: 'List the fields of a new issue',
    description:
      'List the fields of a new issue of one type, custom ones included: ID, name, type, whether it is required, and ' +
      'allowed values. Pass fields without their own argument to create_issue as other_fields.',
    scopes: readScopes,
    path: { project, type_id: numericId('The ID of the issue type, from list_issue_types.') },
    query: listQuery,
    pagination: { style: 'offset', items: '/fields', total: '/total' },
    keep: 'fieldId name required hasDefaultValue schema { type items custom } allowedValues { id name value }',
  }),

  tool('list_link_types: GET /rest/api/3/issueLinkType', {
    title: 'List link types',
    description: 'List the types of links between issues for link_issues: name, and the words for both directions.',
    scopes: readScopes,
    at: '/issueLinkTypes',
    keep: 'id name inward outward',
  }),

  tool('search_users: GET /rest/api/3/user/search', {
    title: 'Search people',
    description: 'Find people by name or email address. Returns account IDs for assign_issue and JQL.',
    scopes: peopleScopes,
    query: { query: text('The beginning of a name or an email address: ada.', 200), ...listQuery },
    pagination: { style: 'offset', items: '' },
    keep: 'accountId accountType displayName emailAddress active timeZone',
  }),

  tool('get_myself: GET /rest/api/3/myself', {
    title: 'Who am I',
    description: 'Read the connected user: account ID (for assign_issue), name and time zone.',
    scopes: peopleScopes,
    keep: 'accountId displayName emailAddress timeZone locale',
  }),
]
