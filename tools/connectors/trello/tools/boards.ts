import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../../../schemas/string-enum.ts'
import { httpTool, pick } from '../../../../services/definitions/http-tool.ts'
import { adds, reads } from '../../annotations.ts'
import { board, cardFields, cardQuery, fullId, list, name, position } from '../arguments.ts'

const listBoards = httpTool({
  operation: 'list_boards',
  title: 'List boards',
  description: 'List the boards of the connected member: ID, name, description and URL.',
  annotations: reads,
  input: {
    filter: Type.Optional(
      StringEnum(['open', 'closed', 'starred', 'all'], { description: 'Which boards. Default: all.' }),
    ),
  },
  request: {
    method: 'GET',
    path: '/members/me/boards',
    query: { filter: '{filter}', fields: 'name,desc,closed,url,dateLastActivity' },
  },
  result: pick('', ['id', 'name', 'desc', 'closed', 'dateLastActivity', 'url']),
})

const getBoard = httpTool({
  operation: 'get_board',
  title: 'Get board',
  description: 'Read one board with its open lists, labels and members, and their IDs for other tools.',
  annotations: reads,
  input: { board },
  request: {
    method: 'GET',
    path: '/boards/{board}',
    query: {
      fields: 'name,desc,closed,url',
      lists: 'open',
      list_fields: 'name',
      labels: 'all',
      label_fields: 'name,color',
      members: 'all',
      member_fields: 'fullName,username',
    },
  },
  result: pick('', ['id', 'name', 'desc', 'closed', 'url', 'lists', 'labels', 'members']),
})

const listLists = httpTool({
  operation: 'list_lists',
  title: 'List lists',
  description: 'List the lists (columns) of a board with their IDs, from left to right.',
  annotations: reads,
  input: {
    board,
    filter: Type.Optional(StringEnum(['open', 'closed', 'all'], { description: 'Which lists. Default: open.' })),
  },
  request: {
    method: 'GET',
    path: '/boards/{board}/lists',
    query: { filter: '{filter}', fields: 'name,closed,idBoard' },
  },
  result: pick('', ['id', 'name', 'closed', 'idBoard']),
})

const createList = httpTool({
  operation: 'create_list',
  title: 'Create list',
  description: 'Add a list (column) to a board. Returns its ID for create_card.',
  annotations: adds,
  input: {
    board: fullId('The ID of the board, from list_boards.'),
    name,
    position: position('top is the far left. Default: top.'),
  },
  request: {
    method: 'POST',
    path: '/lists',
    body: { json: { idBoard: '{board}', name: '{name}', pos: '{position}' } },
  },
  result: pick('', ['id', 'name', 'idBoard', 'pos']),
})

const listCards = httpTool({
  operation: 'list_cards',
  title: 'List cards',
  description:
    'List the open cards of a list, from top to bottom. To search several lists or boards, use search_cards.',
  annotations: reads,
  input: { list: list('The ID of the list.') },
  request: { method: 'GET', path: '/lists/{list}/cards', query: { fields: cardQuery } },
  result: pick('', cardFields),
})

const listBoardMembers = httpTool({
  operation: 'list_board_members',
  title: 'List board members',
  description: 'List the members of a board, with the IDs that assign cards.',
  annotations: reads,
  input: { board },
  request: { method: 'GET', path: '/boards/{board}/members', query: { fields: 'fullName,username' } },
  result: pick('', ['id', 'fullName', 'username']),
})

/** Trello tools for boards, lists and members. */
export const boardTools = [listBoards, getBoard, listLists, createList, listCards, listBoardMembers]
