import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../../schemas/string-enum.ts'

/** Something of Trello's by id, or by the short link that stands in the URL of a board or card. */
export function id(description: string) {
  return Type.String({ pattern: '^[A-Za-z0-9]{8,24}$', description })
}

/** The same where Trello takes no short link. */
export function fullId(description: string) {
  return Type.String({ pattern: '^[0-9a-f]{24}$', description: `${description} All 24 digits, not the short link.` })
}

/** What more than one topic speaks of. */
export const board = id('The board: its id (list_boards), or the short link in its URL.')
export const card = id('The card: its id (search_cards, list_cards), or the short link in its URL.')
export const name = Type.String({ minLength: 1, maxLength: 16_384 })

/** A list, the column of a board. */
export function list(description: string) {
  return id(`${description} It comes from list_lists or get_board.`)
}

/** Where something stands among its neighbours. */
export function position(description: string) {
  return Type.Optional(StringEnum(['top', 'bottom'], { description }))
}

/** What is given of a card in a list of cards. */
export const cardFields = [
  'id',
  'name',
  'desc',
  'idBoard',
  'idList',
  'closed',
  'due',
  'dueComplete',
  'labels.name',
  'idMembers',
  'dateLastActivity',
  'shortUrl',
]

/** The same as Trello is asked for it: it knows no paths. */
export const cardQuery = [...new Set(cardFields.map(field => field.split('.')[0]))].join(',')
