import { clearable, flag, list, named, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { pageSize, pageStart } from '../../paging.ts'
import { instant } from '../../times.ts'
import { card, cardFields, cardQuery, fullId, id, joinedIds, listId, name, position } from '../arguments.ts'

const details = {
  desc: named('description', optional(text('Markdown. Replaces the current text.', 16_384, { min: 0 }))),
  idMembers: joinedIds(
    'members',
    optional(
      list(
        id('A member.'),
        'The IDs of all assigned members, from list_board_members. Replaces the current members.',
        50,
        { min: 0 },
      ),
    ),
  ),
  idLabels: joinedIds(
    'labels',
    optional(
      list(id('A label.'), 'The IDs of all labels, from get_board. Replaces the current labels.', 50, { min: 0 }),
    ),
  ),
}

const searchCards = tool('search_cards: GET /search', {
  title: 'Search cards',
  description: "Search the cards of all boards of the connected member. Supports Trello's search operators.",
  query: {
    query: text('For example: invoice @me is:open due:week board:"Website" label:urgent', 16_384),
    modelTypes: 'cards',
    idBoards: joinedIds(
      'boards',
      optional(list(fullId('A board.'), 'Only cards on these boards: their IDs, from list_boards.', 50)),
    ),
    card_fields: cardQuery,
    cards_limit: pageSize(30, 1000),
    cards_page: pageStart,
    partial: 'true',
  },
  pagination: { style: 'page', items: '/cards', first: 0 },
  keep: cardFields,
})

const getCard = tool('get_card: GET /cards/{card}', {
  title: 'Get card',
  description:
    'Read one card with its list, members, checklists and attachments. Pass the IDs of its items to ' +
    'update_checklist_item. For its comments use list_comments.',
  path: { card },
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
  keep: `${cardFields} list { name } members checklists { id name checkItems { id name state } } attachments`,
})

const createCard = tool('create_card: POST /cards', {
  title: 'Create card',
  description: 'Add a card to a list. Returns its ID and URL.',
  json: {
    idList: named('list', listId('The ID of the list.')),
    name,
    pos: position('Default: bottom.'),
    ...details,
    due: optional(instant('The due date.')),
  },
  keep: cardFields,
})

const updateCard = tool('update_card: PUT /cards/{card}', {
  title: 'Update card',
  description:
    'Update the text, due date, members or labels of a card; archive or restore it. Omitted fields stay unchanged. To ' +
    'move it to another list, use move_card.',
  path: { card },
  json: {
    name: optional(name),
    ...details,
    due: clearable(instant('The due date.')),
    dueComplete: optional(flag('Whether the card is done.')),
    closed: named('archived', optional(flag('true archives the card; false restores it.'))),
  },
  keep: cardFields,
})

const moveCard = tool('move_card: PUT /cards/{card}', {
  title: 'Move card',
  description: 'Move a card to another list, on the same board or another.',
  path: { card },
  json: {
    idList: named('list', listId('The ID of the target list.')),
    idBoard: named(
      'board',
      optional(id('The ID of the target list’s board, from list_boards. Required if the board changes.')),
    ),
    pos: position('Default: bottom.'),
  },
  keep: 'id name idBoard idList pos shortUrl',
})

/** Trello tools for cards. */
export const cardTools = [searchCards, getCard, createCard, updateCard, moveCard]
