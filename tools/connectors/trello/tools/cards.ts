import { Type } from '@sinclair/typebox'
import { httpTool, joined, pick } from '../../../../services/definitions/http-tool.ts'
import { adds, overwrites, reads } from '../../annotations.ts'
import { cursor, limit } from '../../paging.ts'
import { instant } from '../../times.ts'
import { card, cardFields, cardQuery, fullId, id, list, name, position } from '../arguments.ts'

const details = {
  description: Type.Optional(Type.String({ maxLength: 16_384, description: 'Markdown. Replaces the current text.' })),
  due: Type.Optional(instant('The due date.')),
  members: Type.Optional(
    Type.Array(id('A member.'), {
      maxItems: 50,
      description: 'The IDs of all assigned members, from list_board_members. Replaces the current members.',
    }),
  ),
  labels: Type.Optional(
    Type.Array(id('A label.'), {
      maxItems: 50,
      description: 'The IDs of all labels, from get_board. Replaces the current labels.',
    }),
  ),
}
const detailsBody = {
  desc: '{description}',
  due: '{due}',
  idMembers: joined('members'),
  idLabels: joined('labels'),
}

const searchCards = httpTool({
  operation: 'search_cards',
  title: 'Search cards',
  description: "Search the cards of all boards of the connected member. Supports Trello's search operators.",
  annotations: reads,
  input: {
    query: Type.String({
      minLength: 1,
      maxLength: 16_384,
      description: 'For example: invoice @me is:open due:week board:"Website" label:urgent',
    }),
    boards: Type.Optional(
      Type.Array(fullId('A board.'), {
        minItems: 1,
        maxItems: 50,
        description: 'Only cards on these boards: their IDs, from list_boards.',
      }),
    ),
    limit: limit({ max: 1000, default: 30 }),
    cursor,
  },
  request: {
    method: 'GET',
    path: '/search',
    query: {
      query: '{query}',
      modelTypes: 'cards',
      idBoards: joined('boards'),
      card_fields: cardQuery,
      cards_limit: '{limit}',
      cards_page: '{cursor}',
      partial: 'true',
    },
  },
  pagination: { style: 'page', items: '/cards', first: 0 },
  result: pick('/cards', cardFields),
})

const getCard = httpTool({
  operation: 'get_card',
  title: 'Get card',
  description:
    'Read one card with its list, members, checklists and attachments. Pass the IDs of its items to ' +
    'update_checklist_item. For its comments use list_comments.',
  annotations: reads,
  input: { card },
  request: {
    method: 'GET',
    path: '/cards/{card}',
    query: {
      fields: cardQuery,
      list: 'true',
      list_fields: 'name',
      members: 'true',
      member_fields: 'fullName,username',
      checklists: 'all',
      checklist_fields: 'name',
      attachments: 'true',
      attachment_fields: 'name,url,mimeType,bytes',
    },
  },
  result: pick('', [
    ...cardFields,
    'list.name',
    'members',
    'checklists.id',
    'checklists.name',
    'checklists.checkItems.id',
    'checklists.checkItems.name',
    'checklists.checkItems.state',
    'attachments',
  ]),
})

const createCard = httpTool({
  operation: 'create_card',
  title: 'Create card',
  description: 'Add a card to a list. Returns its ID and URL.',
  annotations: adds,
  input: { list: list('The ID of the list.'), name, ...details, position: position('Default: bottom.') },
  request: {
    method: 'POST',
    path: '/cards',
    body: { json: { idList: '{list}', name: '{name}', pos: '{position}', ...detailsBody } },
  },
  result: pick('', cardFields),
})

const updateCard = httpTool({
  operation: 'update_card',
  title: 'Update card',
  description:
    'Update the text, due date, members or labels of a card; archive or restore it. Omitted fields stay unchanged. To ' +
    'move it to another list, use move_card.',
  annotations: overwrites,
  input: {
    card,
    name: Type.Optional(name),
    ...details,
    due_complete: Type.Optional(Type.Boolean({ description: 'Whether the card is done.' })),
    archived: Type.Optional(Type.Boolean()),
  },
  request: {
    method: 'PUT',
    path: '/cards/{card}',
    body: { json: { name: '{name}', ...detailsBody, dueComplete: '{due_complete}', closed: '{archived}' } },
  },
  result: pick('', cardFields),
})

const moveCard = httpTool({
  operation: 'move_card',
  title: 'Move card',
  description: 'Move a card to another list, on the same board or another.',
  annotations: overwrites,
  input: {
    card,
    list: list('The ID of the target list.'),
    board: Type.Optional(id('The ID of the target list’s board, from list_boards. Required if the board changes.')),
    position: position('Default: bottom.'),
  },
  request: {
    method: 'PUT',
    path: '/cards/{card}',
    body: { json: { idList: '{list}', idBoard: '{board}', pos: '{position}' } },
  },
  result: pick('', ['id', 'name', 'idBoard', 'idList', 'pos', 'shortUrl']),
})

/** Trello tools for cards. */
export const cardTools = [searchCards, getCard, createCard, updateCard, moveCard]
