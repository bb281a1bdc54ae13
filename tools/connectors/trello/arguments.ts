import { type TSchema, type TString, Type } from '@sinclair/typebox'
import { type NamedArgument, named, oneOf, optional, text } from '../../../services/definitions/arguments.ts'

/** An object by ID, or by the short link in the URL of a board or card. */
export function id(description: string): TString {
  return Type.String({ pattern: '^[A-Za-z0-9]{8,24}$', description })
}

/** An ID where Trello accepts no short link. */
export function fullId(description: string): TString {
  return Type.String({ pattern: '^[0-9a-f]{24}$', description: `${description} All 24 digits, not the short link.` })
}

/** Arguments of several groups of tools. */
export const board = id(
  'The board: its ID (from list_boards, or idBoard of search_cards), or the short link in its URL.',
)
export const card = id('The card: its ID (from search_cards or list_cards), or the short link in its URL.')
export const name = text('The name.', 16_384)

/** A list, the column of a board. */
export function listId(description: string): TString {
  return id(`${description} From list_lists or get_board.`)
}

/** A position in a list. */
export function position(description: string): NamedArgument {
  return named('position', optional(oneOf(['top', 'bottom'], description)))
}

/** Several IDs, which Trello separates with commas. */
export function joinedIds(argument: string, schema: TSchema): { $join: NamedArgument; separator: string } {
  return { $join: named(argument, schema), separator: ',' }
}

/** The fields of a card in a list of cards. */
export const cardFields =
  'id name desc idBoard idList closed due dueComplete labels { name } idMembers dateLastActivity shortUrl'

/** The same fields for Trello's query, which supports no paths. */
export const cardQuery = cardFields.replace(/ \{.*?\}/g, '').replaceAll(' ', ',')
