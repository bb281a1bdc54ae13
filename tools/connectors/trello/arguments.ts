import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../../schemas/string-enum.ts'

/** An object by ID, or by the short link in the URL of a board or card. */
export function id(description: string) {
  return Type.String({ pattern: '^[A-Za-z0-9]{8,24}$', description })
}

/** An ID where Trello accepts no short link. */
export function fullId(description: string) {
  return Type.String({ pattern: '^[0-9a-f]{24}$', description: `${description} All 24 digits, not the short link.` })
}

/** Arguments of several groups of tools. */
export const board = id('The board: its ID (from list_boards), or the short link in its URL.')
export const card = id('The card: its ID (from search_cards or list_cards), or the short link in its URL.')
export const name = Type.String({ minLength: 1, maxLength: 16_384 })

/** A list, the column of a board. */
export function list(description: string) {
  return id(`${description} From list_lists or get_board.`)
}

/** A position in a list. */
export function position(description: string) {
  return Type.Optional(StringEnum(['top', 'bottom'], { description }))
}

/** The fields of a card in a list of cards. */
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

/** The same fields for Trello's query, which supports no paths. */
export const cardQuery = [...new Set(cardFields.map(field => field.split('.')[0]))].join(',')
