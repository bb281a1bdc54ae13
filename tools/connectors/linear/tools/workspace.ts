import {
  clearable,
  converted,
  either,
  flag,
  list,
  named,
  oneOf,
  optional,
  text,
} from '../../../../services/definitions/arguments.ts'
import { overwrites, tool } from '../../../../services/definitions/tool.ts'
import { day } from '../../shared-arguments.ts'
import {
  contains,
  eq,
  findPerson,
  id,
  inName,
  issue,
  listPages,
  longPage,
  markdown,
  onlyTeam,
  page,
  pageInfo,
  person,
  priority,
  query,
} from '../arguments.ts'

const documentNode = 'id title url updatedAt creator { displayName } project { id name } issue { identifier }'
const writtenDocument = 'success document { id title url updatedAt }'
const title = text('The title.', 512)
const document_id = text('The document: its ID, from search_documents or list_documents, or the end of its URL.', 300, {
  pattern: '^[A-Za-z0-9-]+$',
})

const project_id = id('The project, from list_projects.')
const lead = named('lead', optional(person('The lead.')))
const writtenProject = 'success project { id name url status { name } lead { displayName } startDate targetDate }'
const summary = text('A summary, on one line.', 255)
const statusId = optional(id('The status, from list_project_statuses.'))

const [start, end] = [clearable(day('The planned start.')), clearable(day('The planned end.'))]

/** Linear tools for what a workspace has besides issues: documents, projects, teams, states, people and cycles. */
export const workspaceTools = [
  tool('search_documents: POST /graphql', {
    title: 'Search documents',
    description: 'Search documents by words in title and text, best match first. Read one with get_document.',
    ...query,
    graphql: `query SearchDocuments($term: String!, $first: Int, $after: String, $archived: Boolean) {
  searchDocuments(term: $term, first: $first, after: $after, includeArchived: $archived) { nodes { ${documentNode} } ${pageInfo} }
}`,
    variables: {
      term: text('Words without search syntax: launch plan.', 500),
      archived: named('include_archived', optional(flag('Include documents in the trash.'))),
      ...page,
    },
    pagination: listPages('searchDocuments'),
  }),

  tool('list_documents: POST /graphql', {
    title: 'List documents',
    description: 'List documents, optionally of a project, or with a text in the title. Read one with get_document.',
    ...query,
    graphql: `query ListDocuments($first: Int, $after: String, $filter: DocumentFilter) {
  documents(first: $first, after: $after, filter: $filter, orderBy: updatedAt) { nodes { ${documentNode} } ${pageInfo} }
}`,
    variables: {
      filter: {
        title: contains('title', text('Only documents with this text in the title.', 200)),
        project: { id: eq('project_id', id('Only documents of this project, from list_projects.')) },
      },
      ...page,
    },
    pagination: listPages('documents'),
  }),

  tool('get_document: POST /graphql', {
    title: 'Read a document',
    description: 'Read a document: title, text (Markdown), author, project or issue, and times.',
    ...query,
    graphql: `query GetDocument($id: String!) {
  document(id: $id) { ${documentNode} content createdAt archivedAt updatedBy { displayName } }
}`,
    variables: { id: named('document_id', document_id) },
    at: '/data/document',
  }),

  tool('create_document: POST /graphql', {
    title: 'Create a document',
    description: 'Create a document in a project or on an issue. Give one of them.',
    scopes: ['write'],
    graphql: `mutation CreateDocument($input: DocumentCreateInput!) { documentCreate(input: $input) { ${writtenDocument} } }`,
    variables: {
      input: {
        title,
        content: optional(markdown('The text.')),
        projectId: optional(id('The project, from list_projects.')),
        issueId: named('issue', optional(issue('The issue.'))),
      },
    },
    needsOneOf: ['project_id', 'issue'],
    at: '/data/documentCreate',
  }),

  tool('update_document: POST /graphql', {
    title: 'Update a document',
    description: 'Change the title of a document, or replace its whole text. Read it first with get_document.',
    annotations: overwrites,
    scopes: ['write'],
    graphql: `mutation UpdateDocument($id: String!, $input: DocumentUpdateInput!) {
  documentUpdate(id: $id, input: $input) { ${writtenDocument} }
}`,
    variables: {
      id: named('document_id', document_id),
      input: { title: optional(title), content: optional(markdown('The full new text.')) },
    },
    needsOneOf: ['title', 'content'],
    at: '/data/documentUpdate',
  }),

  tool('trash_document: POST /graphql', {
    title: 'Move a document to the trash',
    description: 'Move a document to the trash. People can restore it in Linear.',
    annotations: overwrites,
    scopes: ['write'],
    graphql: `mutation TrashDocument($id: String!) { documentDelete(id: $id) { success entity { id title } } }`,
    variables: { id: named('document_id', id('The document, from search_documents or list_documents.')) },
    at: '/data/documentDelete',
  }),

  tool('list_projects: POST /graphql', {
    title: 'List projects',
    description: 'List projects with status, health, progress (0 to 1), lead and target date. Filter by name or team.',
    ...query,
    graphql: `query ListProjects($first: Int, $after: String, $filter: ProjectFilter) {
  projects(first: $first, after: $after, filter: $filter) {
    nodes { id name url health progress startDate targetDate updatedAt status { name } lead { displayName } } ${pageInfo}
  }
}`,
    variables: {
      filter: {
        name: contains('name', inName),
        accessibleTeams: { some: { key: eq('team', onlyTeam) } },
      },
      ...page,
    },
    pagination: listPages('projects'),
  }),

  tool('get_project: POST /graphql', {
    title: 'Get a project',
    description:
      'Read one project: description, content, status, health, dates, lead, teams, milestones and latest update. Its ' +
      'documents: list_documents. Its issues: list_issues.',
    ...query,
    graphql: `query GetProject($id: String!) {
  project(id: $id) {
    id name description content url health progress startDate targetDate createdAt updatedAt
    status { name type } lead { id displayName } teams(first: 25) { nodes { id key name } }
    projectMilestones(first: 50) { nodes { id name targetDate } }
    lastUpdate { body health createdAt user { displayName } }
  }
}`,
    variables: { id: named('project_id', project_id) },
    at: '/data/project',
  }),

  tool('list_project_statuses: POST /graphql', {
    title: 'List project statuses',
    description: 'List the statuses of projects with IDs for create_project and update_project.',
    ...query,
    graphql: `query ListProjectStatuses($first: Int, $after: String) {
  projectStatuses(first: $first, after: $after) { nodes { id name type description } ${pageInfo} }
}`,
    variables: page,
    pagination: listPages('projectStatuses'),
  }),

  tool('create_project: POST /graphql', {
    title: 'Create a project',
    description:
      'Create a project of one or several teams. Returns its ID and URL. Look for an existing one with list_projects.',
    scopes: ['write', 'read'],
    steps: [findPerson(lead)],
    graphql: `mutation CreateProject($input: ProjectCreateInput!) { projectCreate(input: $input) { ${writtenProject} } }`,
    variables: {
      input: {
        name: text('The name.', 80),
        teamIds: list(id('A team.'), 'The IDs of its teams, from list_teams.', 50),
        description: named('summary', optional(summary)),
        content: optional(markdown('The description.')),
        statusId,
        leadId: '{find_person.id}',
        priority: optional(priority),
        startDate: optional(day('The planned start.')),
        targetDate: optional(day('The planned end.')),
      },
    },
    at: '/data/projectCreate',
  }),

  tool('update_project: POST /graphql', {
    title: 'Update a project',
    description:
      'Update a project. Omitted fields stay unchanged. content replaces the whole description. Remove the lead with lead_id null.',
    annotations: overwrites,
    scopes: ['write', 'read'],
    path: { lead_id: clearable(id('The lead, from list_users. Or give lead.')) },
    steps: [findPerson(lead)],
    graphql: `mutation UpdateProject($id: String!, $input: ProjectUpdateInput!) { projectUpdate(id: $id, input: $input) { ${writtenProject} } }`,
    variables: {
      id: named('project_id', project_id),
      input: {
        name: optional(text('The new name.', 80)),
        description: named('summary', optional(summary)),
        content: optional(markdown('The full new description.')),
        statusId,
        leadId: either('{find_person.id}', '{lead_id}'),
        priority: optional(priority),
        startDate: start,
        targetDate: end,
        // A stored date may mean its whole month or quarter. A date that a call gives means the day.
        startDateResolution: converted('null', named('start_date', start)),
        targetDateResolution: converted('null', named('target_date', end)),
      },
    },
    needsOneOf: ['name', 'summary', 'content', 'status_id', 'lead', 'lead_id', 'priority', 'start_date', 'target_date'],
    at: '/data/projectUpdate',
  }),

  tool('post_project_update: POST /graphql', {
    title: 'Post a project update',
    description: 'Post a status update to everyone who follows a project.',
    scopes: ['write'],
    graphql: `mutation PostProjectUpdate($input: ProjectUpdateCreateInput!) {
  projectUpdateCreate(input: $input) { success projectUpdate { id url health createdAt } }
}`,
    variables: {
      input: {
        projectId: project_id,
        body: markdown('The update.'),
        health: optional(oneOf(['onTrack', 'atRisk', 'offTrack'], 'How it is going.')),
      },
    },
    at: '/data/projectUpdateCreate',
  }),

  tool('list_teams: POST /graphql', {
    title: 'List teams',
    description: 'List the teams that you can see: ID, key (the prefix of their issues) and name.',
    ...query,
    graphql: `query ListTeams($first: Int, $after: String) {
  teams(first: $first, after: $after) { nodes { id key name description } ${pageInfo} }
}`,
    variables: longPage,
    pagination: listPages('teams'),
  }),

  tool('list_states: POST /graphql', {
    title: 'List workflow states',
    description:
      'List the workflow states of issues: names and IDs for create_issue and update_issue. Each belongs to one team.',
    ...query,
    graphql: `query ListStates($first: Int, $after: String, $filter: WorkflowStateFilter) {
  workflowStates(first: $first, after: $after, filter: $filter) { nodes { id name type description team { key } } ${pageInfo} }
}`,
    variables: { filter: { team: { key: eq('team', onlyTeam) } }, ...longPage },
    pagination: listPages('workflowStates'),
  }),

  tool('list_users: POST /graphql', {
    title: 'List people',
    description: 'List the people of the workspace with IDs, names, display names and email addresses. isMe marks you.',
    ...query,
    graphql: `query ListUsers($first: Int, $after: String, $filter: UserFilter) {
  users(first: $first, after: $after, filter: $filter) { nodes { id name displayName email active isMe } ${pageInfo} }
}`,
    variables: { filter: { name: contains('name', inName) }, ...longPage },
    pagination: listPages('users'),
  }),

  tool('get_myself: POST /graphql', {
    title: 'Who am I',
    description: 'Read the connected user: ID, names, email address and teams.',
    ...query,
    graphql: `query GetMyself {
  viewer { id name displayName email admin organization { name urlKey } teams(first: 50) { nodes { id key name } } }
}`,
    at: '/data/viewer',
  }),

  tool('list_cycles: POST /graphql', {
    title: 'List cycles',
    description: 'List the cycles (sprints) of teams with IDs, dates and progress. Set active for current cycles.',
    ...query,
    graphql: `query ListCycles($first: Int, $after: String, $filter: CycleFilter) {
  cycles(first: $first, after: $after, filter: $filter) {
    nodes { id number name startsAt endsAt progress isActive team { key } } ${pageInfo}
  }
}`,
    variables: {
      filter: {
        team: { key: eq('team', onlyTeam) },
        isActive: eq('active', flag('true: only current cycles. false: only other cycles.')),
      },
      ...longPage,
    },
    pagination: listPages('cycles'),
  }),
]
