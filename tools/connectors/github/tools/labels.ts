import { integer, list, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { day } from '../../times.ts'
import {
  direction,
  listPages,
  listQuery,
  markdown,
  number,
  REPOSITORY,
  repository,
  scopes,
  title,
} from '../arguments.ts'

const ISSUE_LABELS = `${REPOSITORY}/issues/{issue_number}/labels`
const MILESTONES = `${REPOSITORY}/milestones`
const issue_number = number('issue or pull request')
const labelFields = 'name description color'
const milestoneFields = 'number title state description due_on open_issues closed_issues html_url closed_at'
const color = optional(text('The color in six hexadecimal digits: d73a4a.', 6, { pattern: '^[0-9a-fA-F]{6}$' }))
const due_on = optional(day('The due date.'))
// GitHub keeps only the day, which it reads in Pacific time: noon is the same day there.
const noon = '{due_on}T12:00:00Z'

const listLabels = tool(`list_labels: GET ${REPOSITORY}/labels`, {
  title: 'List labels',
  description: 'List the labels of a repository: names, colors and what they are for.',
  scopes,
  path: repository,
  query: listQuery,
  pagination: listPages,
  keep: labelFields,
})

const createLabel = tool(`create_label: POST ${REPOSITORY}/labels`, {
  title: 'Create a label',
  description: 'Add a label to a repository.',
  scopes,
  path: repository,
  json: { name: text('The name.', 50), color, description: optional(text('What it is for.', 100)) },
  keep: labelFields,
})

const addLabels = tool(`add_labels: POST ${ISSUE_LABELS}`, {
  title: 'Add labels',
  description: 'Add labels to an issue or pull request. Its other labels stay. Labels that do not exist are created.',
  scopes,
  path: { ...repository, issue_number },
  json: { labels: list(text('', 50), 'Labels by name, from list_labels.', 100) },
  returns: done('Added the labels.'),
})

const removeLabel = tool(`remove_label: DELETE ${ISSUE_LABELS}/{label}`, {
  title: 'Remove a label',
  description: 'Take one label off an issue or pull request. The label itself stays.',
  scopes,
  path: { ...repository, issue_number, label: text('The name of the label, from get_issue.', 50) },
  returns: done('Removed the label {label}.'),
})

const listMilestones = tool(`list_milestones: GET ${MILESTONES}`, {
  title: 'List milestones',
  description: 'List the milestones of a repository: numbers, titles, due dates and how many issues are open.',
  scopes,
  path: repository,
  query: {
    state: optional(oneOf(['open', 'closed', 'all'], 'Default: open.')),
    sort: optional(oneOf(['due_on', 'completeness'], 'Default: due_on.')),
    direction,
    ...listQuery,
  },
  pagination: listPages,
  keep: milestoneFields,
})

const createMilestone = tool(`create_milestone: POST ${MILESTONES}`, {
  title: 'Create a milestone',
  description: 'Add a milestone to a repository. Put issues into it with update_issue.',
  scopes,
  path: { ...repository, due_on },
  json: { title: title('The title.'), description: optional(markdown('What it is about.')), due_on: noon },
  keep: milestoneFields,
})

const updateMilestone = tool(`update_milestone: PATCH ${MILESTONES}/{milestone_number}`, {
  title: 'Update a milestone',
  description: 'Change or close a milestone. Omitted fields stay unchanged.',
  scopes,
  path: {
    ...repository,
    milestone_number: integer('The number of the milestone, from list_milestones.', 1, 2_147_483_647),
    due_on,
  },
  json: {
    title: optional(title('The title.')),
    description: optional(markdown('What it is about.')),
    state: optional(oneOf(['open', 'closed'])),
    due_on: noon,
  },
  needsOneOf: ['title', 'description', 'state', 'due_on'],
  keep: milestoneFields,
})

/** GitHub tools for labels and milestones. */
export const labelTools = [
  listLabels,
  createLabel,
  addLabels,
  removeLabel,
  listMilestones,
  createMilestone,
  updateMilestone,
]
