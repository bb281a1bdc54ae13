import { clearable, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { board, card, fullId } from '../arguments.ts'

const COLORS = ['yellow', 'purple', 'blue', 'red', 'green', 'orange', 'black', 'sky', 'pink', 'lime'] as const
const label = fullId('The ID of the label, from list_labels or get_board.')

const listLabels = tool('list_labels: GET /boards/{board}/labels', {
  title: 'List labels',
  description: 'List the labels of a board with their IDs, names and colors.',
  path: { board },
  query: { fields: 'name,color', limit: 1000 },
  keep: 'id name color',
})

const createLabel = tool('create_label: POST /labels', {
  title: 'Create label',
  description: 'Add a label to a board. Returns its ID; add_label puts it on a card.',
  json: {
    idBoard: named('board', fullId('The ID of the board, from list_boards.')),
    name: text('The name of the label.', 16_384),
    color: oneOf(COLORS),
  },
  keep: 'id idBoard name color',
})

const updateLabel = tool('update_label: PUT /labels/{label}', {
  title: 'Update label',
  description: 'Change the name or the color of a label, on all cards that have it.',
  path: { label },
  json: {
    name: optional(text('The new name.', 16_384)),
    color: clearable(oneOf(COLORS)),
  },
  keep: 'id idBoard name color',
})

const addLabel = tool('add_label: POST /cards/{card}/idLabels', {
  title: 'Add label to card',
  description: 'Put a label on a card, and keep its other labels.',
  path: { card },
  json: { value: named('label', label) },
  returns: done('The label was put on the card.'),
})

const removeLabel = tool('remove_label: DELETE /cards/{card}/idLabels/{label}', {
  title: 'Remove label from card',
  description: 'Take a label off a card. The label stays on the board and on other cards.',
  path: { card, label },
  returns: done('The label was taken off the card.'),
})

/** Trello tools for labels. */
export const labelTools = [listLabels, createLabel, updateLabel, addLabel, removeLabel]
