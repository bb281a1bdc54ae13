import { clearable, flag, list, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { filePart } from '../../../../services/definitions/file-argument.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { instant, pageSize, pageStart } from '../../shared-arguments.ts'
import { board, card, cardFields, cardQuery, fullId, id, joinedIds, listId, name, position } from '../arguments.ts'

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

const COLORS = ['yellow', 'purple', 'blue', 'red', 'green', 'orange', 'black', 'sky', 'pink', 'lime'] as const
const label = fullId('The ID of the label, from list_labels or get_board.')

const markdown = text('Markdown.', 16_384)

/** Trello tools for cards, and for their labels, comments, checklists and attachments. */
export const cardTools = [
  tool('search_cards: GET /search', {
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
  }),

  tool('get_card: GET /cards/{card}', {
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
  }),

  tool('create_card: POST /cards', {
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
  }),

  tool('update_card: PUT /cards/{card}', {
    title: 'Update card',
    description:
      'Update the text, due date, members or labels of a card; archive or restore it. Omitted fields stay unchanged. ' +
      'To move it to another list, use move_card.',
    path: { card },
    json: {
      name: optional(name),
      ...details,
      due: clearable(instant('The due date.')),
      dueComplete: optional(flag('Whether the card is done.')),
      closed: named('archived', optional(flag('true archives the card; false restores it.'))),
    },
    keep: cardFields,
  }),

  tool('move_card: PUT /cards/{card}', {
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
  }),

  tool('list_labels: GET /boards/{board}/labels', {
    title: 'List labels',
    description: 'List the labels of a board with their IDs, names and colors.',
    path: { board },
    query: { fields: 'name,color', limit: 1000 },
    keep: 'id name color',
  }),

  tool('create_label: POST /labels', {
    title: 'Create label',
    description: 'Add a label to a board. Returns its ID; add_label puts it on a card.',
    json: {
      idBoard: named('board', fullId('The ID of the board, from list_boards.')),
      name: text('The name of the label.', 16_384),
      color: oneOf(COLORS, 'The color.'),
    },
    keep: 'id idBoard name color',
  }),

  tool('update_label: PUT /labels/{label}', {
    title: 'Update label',
    description: 'Change the name or the color of a label, on all cards that have it.',
    path: { label },
    json: {
      name: optional(text('The new name.', 16_384)),
      color: clearable(oneOf(COLORS, 'The color.')),
    },
    keep: 'id idBoard name color',
  }),

  tool('add_label: POST /cards/{card}/idLabels', {
    title: 'Add label to card',
    description: 'Put a label on a card, and keep its other labels.',
    path: { card },
    json: { value: named('label', label) },
    returns: done('The label was put on the card.'),
  }),

  tool('remove_label: DELETE /cards/{card}/idLabels/{label}', {
    title: 'Remove label from card',
    description: 'Take a label off a card. The label stays on the board and on other cards.',
    path: { card, label },
    returns: done('The label was taken off the card.'),
  }),

  tool('list_comments: GET /cards/{card}/actions', {
    title: 'List comments',
    description: 'List the comments on a card, newest first: ID, text, author and date.',
    path: { card },
    query: { filter: 'commentCard', fields: 'data,date', limit: pageSize(20, 50), page: pageStart },
    pagination: { style: 'page', items: '', first: 0 },
    keep: 'id date data { text } memberCreator { fullName username }',
  }),

  tool('add_comment: POST /cards/{card}/actions/comments', {
    title: 'Add comment',
    description: 'Comment on a card. Everyone who follows it is notified.',
    path: { card },
    json: { text: markdown },
    keep: 'id date data { text } memberCreator { username }',
  }),

  tool('edit_comment: PUT /cards/{card}/actions/{comment}/comments', {
    title: 'Edit comment',
    description: 'Replace the text of a comment of the connected member.',
    path: { card, comment: fullId('The ID of the comment, from list_comments or add_comment.') },
    json: { text: markdown },
    keep: 'id date data { text } memberCreator { username }',
  }),

  tool('create_checklist: POST /checklists', {
    title: 'Create checklist',
    description: 'Add an empty checklist to a card. Returns its ID for add_checklist_item.',
    json: { idCard: named('card', fullId('The ID of the card, from get_card.')), name },
    keep: 'id name idCard',
  }),

  tool('add_checklist_item: POST /checklists/{checklist}/checkItems', {
    title: 'Add checklist item',
    description: 'Add an item to a checklist.',
    path: { checklist: id('The ID of the checklist, from get_card or create_checklist.') },
    json: { name, pos: position('Default: bottom.') },
    keep: 'id name state idChecklist',
  }),

  tool('update_checklist_item: PUT /cards/{card}/checkItem/{item}', {
    title: 'Update checklist item',
    description: 'Check off an item of a checklist (state complete), or change its text.',
    path: { card, item: id('The ID of the item, from get_card.') },
    json: { name: optional(name), state: optional(oneOf(['complete', 'incomplete'], 'Whether it is done.')) },
    keep: 'id name state idChecklist',
  }),

  tool('list_attachments: GET /cards/{card}/attachments', {
    title: 'List attachments',
    description: 'List the files and links on a card: name, URL, type and size.',
    path: { card },
    query: { fields: 'name,url,mimeType,bytes,date' },
    keep: 'id name url mimeType bytes date',
  }),

  tool('attach_link: POST /cards/{card}/attachments', {
    title: 'Attach link',
    description: 'Attach a link to a card.',
    path: { card },
    json: {
      url: text('The URL.', 2048, { min: 0, pattern: '^https?://[^\\s]+$' }),
      name: optional(text('The name of the link. Default: the URL.', 256)),
    },
    keep: 'id name url',
  }),

  tool('attach_file: POST /cards/{card}/attachments', {
    title: 'Attach file',
    description: 'Attach a file to a card, from an artifact or from text. Returns its ID, name, URL and size.',
    path: { card },
    multipart: { file: filePart() },
    keep: 'id name url mimeType bytes',
  }),
]
