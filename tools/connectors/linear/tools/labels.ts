import { list, named, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites, reads, sets } from '../../annotations.ts'
import {
  contains,
  eq,
  findLabels,
  findOwnLabels,
  findTeam,
  findTeamOf,
  inName,
  issue,
  label,
  listPages,
  longPage,
  onlyTeam,
  pageInfo,
  teamKey,
} from '../arguments.ts'

const LABELS = 'success issue { identifier labels(first: 50) { nodes { id name } } }'
const names = (description: string) => list(label, `${description} From list_labels.`, 20)
const team = named('team', optional(teamKey('The team of the label. Default: the whole workspace.')))

const listLabels = tool('list_labels: POST /graphql', {
  title: 'List labels',
  description: 'List issue labels with names and IDs. Labels without a team belong to the workspace.',
  annotations: reads,
  scopes: ['read'],
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
})

const createLabel = tool('create_label: POST /graphql', {
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
})

const addLabels = tool('add_labels: POST /graphql', {
  title: 'Label an issue',
  description: 'Add labels to an issue by name. Those that it has stay. Returns all of them.',
  annotations: sets,
  scopes: ['write', 'read'],
  path: { issue: issue('The issue.'), labels: names('The names of the labels.') },
  steps: [findTeamOf(['labels']), findLabels('labels', '{find_issue.id}')],
  graphql: `mutation AddLabels($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { ${LABELS} } }`,
  variables: { id: '{issue}', input: { addedLabelIds: '{find_labels.id}' } },
  at: '/data/issueUpdate',
})

const removeLabels = tool('remove_labels: POST /graphql', {
  title: 'Remove labels from an issue',
  description: 'Remove labels from an issue by name. The others stay. Returns them.',
  annotations: overwrites,
  scopes: ['write', 'read'],
  path: { issue: issue('The issue.'), labels: names('The names of labels that the issue has.') },
  steps: [findOwnLabels('labels')],
  graphql: `mutation RemoveLabels($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { ${LABELS} } }`,
  variables: { id: '{issue}', input: { removedLabelIds: '{find_own_labels.id}' } },
  at: '/data/issueUpdate',
})

/** Linear tools for labels. */
export const labelTools = [listLabels, createLabel, addLabels, removeLabels]
