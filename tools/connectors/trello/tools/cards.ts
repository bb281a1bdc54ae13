import { Type } from '@sinclair/typebox'
import { httpTool, joined, pick } from '../../../../services/definitions/http-tool.ts'
import { adds, overwrites, reads } from '../../annotations.ts'
import { cursor, limit } from '../../paging.ts'
import { instant } from '../../times.ts'
import { card, cardFields, cardQuery, fullId, id, list, name, position } from '../arguments.ts'

const details = {
  description: Type.Optional(Type.String({ maxLength: 16_384, description: 'Markdown; replaces what is there.' })),
  due: Type.Optional(instant('When it is due.')),
  members: Type.Optional(
    Type.Array(id('A member.'), {
      maxItems: 50,
      description: 'Ids of who it is assigned to, from list_board_members; replaces those there.',
    }),
  ),
  labels: Type.Optional(
    Type.Array(id('A label.'), {
      maxItems: 50,
      description: 'Ids of its labels, from get_board; replaces those there.',
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
  description: "Search the cards of all boards of the connected member with Trello's search operators.",
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
        description: 'Only on these boards: ids, from list_boards.',
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
    'Read one card with its list, members, checklists and attachments; the ids of items are for update_checklist_item. ' +
    'Its comments come from list_comments.',
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
  description: 'Add a card to a list. Answers with its id and URL.',
  annotations: adds,
  input: { list: list('The id of the list.'), name, ...details, position: position('bottom when left out.') },
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
    'Change what a card says, when it is due and who has it; archive it or bring it back. What is left out stays. To ' +
    'another list it goes by move_card.',
  annotations: overwrites,
  input: {
    card,
    name: Type.Optional(name),
    ...details,
    due_complete: Type.Optional(Type.Boolean({ description: 'Whether it is done.' })),
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
  description: 'Move a card to another list, also of another board.',
  annotations: overwrites,
  input: {
    card,
    list: list('The id of the list it goes to.'),
    board: Type.Optional(id('The id of the board of that list, where it is another one; it comes from list_boards.')),
    position: position('bottom when left out.'),
  },
  request: {
    method: 'PUT',
    path: '/cards/{card}',
    body: { json: { idList: '{list}', idBoard: '{board}', pos: '{position}' } },
  },
  result: pick('', ['id', 'name', 'idBoard', 'idList', 'pos', 'shortUrl']),
})

/** Trello's cards. */
export const cardTools = [searchCards, getCard, createCard, updateCard, moveCard]
