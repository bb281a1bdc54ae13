import { flag, named, oneOf, optional } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { board, fullId, listId, name, position } from '../arguments.ts'

const listLists = tool('list_lists: GET /boards/{board}/lists', {
  title: 'List lists',
  description: 'List the lists (columns) of a board with their IDs, from left to right.',
  path: { board },
  query: {
    filter: optional(oneOf(['open', 'closed', 'all'], 'Which lists; closed ones are archived. Default: open.')),
    fields: 'name,closed,idBoard',
  },
  keep: 'id name closed idBoard',
})

const createList = tool('create_list: POST /lists', {
  title: 'Create list',
  description: 'Add a list (column) to a board. Returns its ID for create_card.',
  json: {
    idBoard: named('board', fullId('The ID of the board, from list_boards.')),
    name,
    pos: position('top is the far left. Default: top.'),
  },
  keep: 'id name idBoard pos',
})

const updateList = tool('update_list: PUT /lists/{list}', {
  title: 'Update list',
  description: 'Rename a list (column), archive or restore it, or move it to either end of its board.',
  path: { list: listId('The ID of the list.') },
  json: {
    name: optional(name),
    closed: named('archived', optional(flag('true archives the list with its cards; false restores it.'))),
    pos: position('top is the far left.'),
  },
  keep: 'id name closed idBoard pos',
})

/** Trello tools for the lists of a board. */
export const listTools = [listLists, createList, updateList]
