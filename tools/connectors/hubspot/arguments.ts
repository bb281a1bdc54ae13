import { type TString, Type } from '@sinclair/typebox'
import { list, type NamedArgument, named, oneOf, optional, text } from '../../../services/definitions/arguments.ts'
import { pageSize, pageStart } from '../paging.ts'

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
export const contact_id = id('The ID of the contact, from search_contacts or list_associations.')
export const company_id = id('The ID of the company, from search_companies or list_associations.')
export const deal_id = id('The ID of the deal, from search_deals or list_associations.')
export const ticket_id = id('The ID of the ticket, from search_tickets or list_associations.')
export const owner_id = named(
  'owner_id',
  optional(text('The ID of the owner, from list_owners.', 20, { min: 0, pattern: '^[0-9]*$' })),
)

/** The kinds of records that people manage. */
export const object_type = oneOf(['contacts', 'companies', 'deals', 'tickets'], 'The kind of record.')

/** A property that has its own argument. An empty text clears it. */
export function property(description: string, max = 1000) {
  return optional(text(description, max, { min: 0 }))
}

/** The properties of a record that have no argument of their own. */
export function otherProperties(kind: string): NamedArgument {
  const value = Type.String({ maxLength: 65_536 })
  const description =
    `Other properties by name, from list_properties for ${kind}: {"jobtitle": "Engineer"}. All values are texts: ` +
    'a number as "3", true as "true", several options as "a;b", a time as 2026-03-31T09:00:00Z.'
  return named(
    'properties',
    optional(Type.Object({}, { additionalProperties: value, minProperties: 1, maxProperties: 200, description })),
  )
}

/** The properties to return. */
function returned(usual: readonly string[]): NamedArgument {
  const names = list(
    text('', 200),
    `The properties to return, from list_properties. Default: ${usual.slice(0, 4).join(', ')} and other usual ones.`,
    100,
  )
  return named('return_properties', { ...optional(names), default: [...usual] })
}

const OPERATORS = [
  ...['EQ', 'NEQ', 'LT', 'LTE', 'GT', 'GTE', 'BETWEEN', 'IN', 'NOT_IN'],
  ...['HAS_PROPERTY', 'NOT_HAS_PROPERTY', 'CONTAINS_TOKEN', 'NOT_CONTAINS_TOKEN'],
] as const

const filter = Type.Object(
  {
    propertyName: text(
      'A property from list_properties, or associations.contact, associations.company, associations.deal or ' +
        `associations.ticket for the ID of a record it belongs to, ${SEARCHES}.`,
      200,
    ),
    operator: oneOf(OPERATORS, 'CONTAINS_TOKEN finds words, and *@example.com with wildcards.'),
    value: optional(text('The value; a time as 2026-03-31T09:00:00Z. For BETWEEN the lower bound.', 1000)),
    values: optional(list(text('', 1000), 'The values for IN and NOT_IN, in lower case.', 100)),
    highValue: optional(text('The upper bound for BETWEEN.', 1000)),
  },
  { additionalProperties: false },
)

const sort = Type.Object(
  { propertyName: text('A property from list_properties.', 200), direction: oneOf(['ASCENDING', 'DESCENDING']) },
  { additionalProperties: false },
)

/** The body of a search for records. */
export function search(usual: readonly string[]) {
  return {
    query: optional(text('Words in the name, email, phone, domain or subject.', 3000)),
    filterGroups: [{ filters: optional(list(filter, 'Conditions that must all be true.', 10)) }],
    sorts: [named('sort', optional(sort))],
    properties: returned(usual),
    limit: pageSize(20, 200),
    after: pageStart,
  }
}

/** The query that reads one record. */
export function reading(usual: readonly string[]) {
  const kinds = oneOf(['contacts', 'companies', 'deals', 'tickets'])
  return {
    properties: { $join: returned(usual), separator: ',' },
    associations: {
      $join: named('with_ids_of', optional(list(kinds, 'Also return the IDs of the records it belongs to.', 4))),
      separator: ',',
    },
  }
}

/** The fields of one record. */
export const oneRecord = `${recordFields} associations { * { results { id type } } }`

/**
 * The usual association of a new record with another one, left out without it. The IDs of the types are those of
 * AssociationTypes in HubSpot's client for Node.js.
 */
export function link(to: NamedArgument, associationTypeId: number) {
  return { to: { id: to }, types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId }] }
}
