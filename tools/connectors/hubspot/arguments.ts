import type { TString } from '@sinclair/typebox'
import { named, optional, text } from '../../../services/definitions/arguments.ts'

/** The version in every path. HubSpot releases one each March and September, and supports it for 18 months. */
export const VERSION = '2026-09'
/** The path of records of all kinds. */
export const OBJECTS = `/crm/objects/${VERSION}`

/** The fields of records that are kept; `properties` has only those that were asked for. */
export const recordFields = 'id createdAt updatedAt archived url properties'
export const listPages = { style: 'cursor', items: '/results', next: '/paging/next/after' } as const

/** A record, by its ID. */
export function id(description: string): TString {
  return text(description, 20, { pattern: '^[0-9]+$' })
}

/** Where the IDs of records of any kind come from. */
export const SEARCHES = 'from search_contacts, search_companies, search_deals or search_tickets'

/** The records that most tools are about. */
export const recordIds = {
  contact: id('The ID of the contact, from search_contacts or list_associations.'),
  company: id('The ID of the company, from search_companies or list_associations.'),
  deal: id('The ID of the deal, from search_deals or list_associations.'),
  ticket: id('The ID of the ticket, from search_tickets or list_associations.'),
}
type Kind = keyof typeof recordIds

/** One of these records as an argument that may be absent. */
export function record(kind: Kind) {
  return named(`${kind}_id`, optional(recordIds[kind]))
}

/** The owner of a record. */
export const owner_id = named(
  'owner_id',
  optional(text('The ID of the owner, from list_owners.', 20, { min: 0, pattern: '^[0-9]*$' })),
)

/**
 * The types of associations with records of each kind, by their IDs: those of AssociationTypes in HubSpot's client for
 * Node.js.
 */
export type LinkTypes = Readonly<Partial<Record<Kind, number>>>

/** The usual associations of a new record with the records that a call gives. */
export function linksOf(types: LinkTypes) {
  return Object.entries(types).map(([kind, associationTypeId]) => ({
    to: { id: record(kind as Kind) },
    types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId }],
  }))
}
