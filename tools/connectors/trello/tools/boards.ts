import { flag, named, oneOf, optional } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { board, cardFields, cardQuery, fullId, listId, name, position } from '../arguments.ts'

/** Trello tools for boards and their lists. */
export const boardTools = [
  tool('list_boards: GET /members/me/boards', {
    title: 'List boards',
    description: 'List the boards of the connected member: ID, name, description and URL.',
    query: {
      filter: optional(oneOf(['open', 'closed', 'starred', 'all'], 'Which boards. Default: all.')),
      fields: 'name,desc,closed,url,dateLastActivity',
    },
    keep: 'id name desc closed dateLastActivity url',
  }),

  tool('get_board: GET /boards/{board}', {
    title: 'Get board',
    description: 'Read one board with its open lists, labels and members, and their IDs for other tools.',
    path: { board },
    query: {
      fields: 'name,desc,closed,url',
      lists: 'open',
      list_fields: 'name',
      labels: 'all',
      label_fields: 'name,color',
      members: 'all',
      member_fields: 'fullName,username',
    },
    keep: 'id name desc closed url lists labels members',
  }),

  tool('list_cards: GET /lists/{list}/cards', {
    title: 'List cards',
    description:
      'List the open cards of a list, from top to bottom. To search several lists or boards, use search_cards.',
    path: { list: listId('The ID of the list.') },
    query: { fields: cardQuery },
    keep: cardFields,
  }),

  tool('list_board_members: GET /boards/{board}/members', {
    title: 'List board members',
    description: 'List the members of a board, with the IDs that assign cards.',
    path: { board },
    query: { fields: 'fullName,username' },
    keep: 'id fullName username',
  }),

  tool('list_lists: GET /boards/{board}/lists', {
    title: 'List lists',
    description: 'List the lists (columns) of a board with their IDs, from left to right.',
    path: { board },
    query: {
      filter: optional(oneOf(['open', 'closed', 'all'], 'Which lists; closed ones are archived. Default: open.')),
      fields: 'name,closed,idBoard',
    },
    keep: 'id name closed idBoard',
  }),

  tool('create_list: POST /lists', {
    title: 'Create list',
    description: 'Add a list (column) to a board. Returns its ID for create_card.',
    json: {
      idBoard: named('board', fullId('The ID of the board, from list_boards.')),
      name,
      pos: position('top is the far left. Default: top.'),
    },
    keep: 'id name idBoard pos',
  }),

  tool('update_list: PUT /lists/{list}', {
    title: 'Update list',
    description: 'Rename a list (column), archive or restore it, or move it to either end of its board.',
    path: { list: listId('The ID of the list.') },
    json: {
      name: optional(name),
      closed: named('archived', optional(flag('true archives the list with its cards; false restores it.'))),
      pos: position('top is the far left.'),
    },
    keep: 'id name closed idBoard pos',
  }),
]
