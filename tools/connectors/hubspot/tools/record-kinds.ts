import { type TSchema, Type } from '@sinclair/typebox'
import { list, type NamedArgument, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import type { HttpTool } from '../../../../services/definitions/http-tool-types.ts'
import { reads, tool } from '../../../../services/definitions/tool.ts'
import { instant, pageSize, pageStart } from '../../shared-arguments.ts'
import {
  type LinkTypes,
  linksOf,
  listPages,
  OBJECTS,
  owner_id,
  recordFields,
  recordIds,
  SEARCHES,
} from '../arguments.ts'

/** A property that has its own argument. An empty text clears it. */
function property(description: string, max = 1000) {
  return optional(text(description, max, { min: 0 }))
}

/** The properties of a record that have no argument of their own. */
function otherProperties(kind: string): NamedArgument {
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
  {
    propertyName: text('A property from list_properties.', 200),
    direction: oneOf(['ASCENDING', 'DESCENDING'], 'ASCENDING: the smallest or oldest first.'),
  },
  { additionalProperties: false, description: 'The order of the records.' },
)

/** The body of a search for records. */
function search(usual: readonly string[]) {
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
function reading(usual: readonly string[]) {
  const kinds = oneOf(['contacts', 'companies', 'deals', 'tickets'])
  return {
    properties: { $join: returned(usual), separator: ',' },
    associations: {
      $join: named('with_ids_of', optional(list(kinds, 'Also return the IDs of the records it belongs to.', 4))),
      separator: ',',
    },
  }
}

/** How the tools for one kind of record differ. */
interface RecordKind {
  /** The noun in names and titles: `deal`. */
  readonly one: keyof typeof recordIds
  readonly many: string
  readonly readScopes: readonly string[]
  readonly writeScopes: readonly string[]
  /** The properties that are returned by default, separated by spaces. */
  readonly usual: string
  /** The properties that have arguments of their own. A new record needs the required ones. */
  readonly properties: Readonly<Record<string, TSchema | NamedArgument>>
  readonly required?: Readonly<Record<string, NamedArgument>>
  readonly needsOneOf?: readonly string[]
  /** The usual associations of a new record. */
  readonly links?: LinkTypes
  /** The descriptions of the tools. */
  readonly search: string
  readonly get: string
  readonly create: string
  readonly update: string
}

/** The tools that search, read, create and update records of one kind. */
function toolsOfKind(kind: RecordKind): readonly HttpTool[] {
  const { one, many, readScopes, writeScopes, required = {}, links, needsOneOf } = kind
  const usual = kind.usual.split(' ')
  const [all, single] = [`${OBJECTS}/${many}`, `${OBJECTS}/${many}/{${one}_id}`]
  const path = { [`${one}_id`]: recordIds[one] }
  const properties = { '...': otherProperties(many), ...kind.properties, hubspot_owner_id: owner_id }
  const changed = Object.entries(required).map(
    ([property, { $argument, schema }]) => [property, named($argument, optional(schema))] as const,
  )
  return [
    tool(`search_${many}: POST ${all}/search`, {
      title: `Search ${many}`,
      description: kind.search,
      annotations: reads,
      scopes: readScopes,
      json: search(usual),
      pagination: listPages,
      keep: recordFields,
    }),
    tool(`get_${one}: GET ${single}`, {
      title: `Get a ${one}`,
      description: kind.get,
      scopes: readScopes,
      path,
      query: reading(usual),
      keep: `${recordFields} associations { * { results { id type } } }`,
    }),
    tool(`create_${one}: POST ${all}`, {
      title: `Create a ${one}`,
      description: kind.create,
      scopes: writeScopes,
      json: { properties: { ...properties, ...required }, ...(links && { associations: linksOf(links) }) },
      ...(needsOneOf && { needsOneOf }),
      keep: recordFields,
    }),
    tool(`update_${one}: PATCH ${single}`, {
      title: `Update a ${one}`,
      description: kind.update,
      scopes: writeScopes,
      path,
      json: { properties: { ...properties, ...Object.fromEntries(changed) } },
      keep: recordFields,
    }),
  ]
}

const contactTools = toolsOfKind({
  one: 'contact',
  many: 'contacts',
  readScopes: ['crm.objects.contacts.read'],
  writeScopes: ['crm.objects.contacts.write'],
  usual:
    'email firstname lastname phone jobtitle company lifecyclestage hs_lead_status hubspot_owner_id createdate lastmodifieddate',
  properties: {
    email: property('The email address, which identifies a contact.', 320),
    firstname: named('first_name', property('The first name.')),
    lastname: named('last_name', property('The last name.')),
    phone: property('The phone number.', 100),
    jobtitle: named('job_title', property('The job title.')),
    lifecyclestage: named(
      'lifecycle_stage',
      property(
        'The stage by its internal name: lead, opportunity, customer. To move it back, first clear it with an empty text in a separate call.',
        100,
      ),
    ),
  },
  needsOneOf: ['email', 'first_name', 'last_name', 'properties'],
  links: { company: 279 },
  search:
    'Search contacts by words or by properties; without both, list them. Returns their IDs and usual properties. At ' +
    'most 10000 contacts of a search can be read. Archived contacts and changes of the last seconds are missing.',
  get: 'Read one contact with its properties. Its notes, tasks and calls: search_notes, search_tasks, search_calls.',
  create:
    'Create a contact, for a company if you give one. Search for the email address first: there is one contact for each. ' +
    'Returns its ID.',
  update: 'Update properties of a contact. Omitted properties stay unchanged; an empty text clears one.',
})

const companyTools = toolsOfKind({
  one: 'company',
  many: 'companies',
  readScopes: ['crm.objects.companies.read'],
  writeScopes: ['crm.objects.companies.write'],
  usual:
    'name domain phone industry city country numberofemployees annualrevenue lifecyclestage hubspot_owner_id createdate hs_lastmodifieddate',
  properties: {
    name: property('The name.'),
    domain: property('The domain of its website, which identifies a company: example.com.', 255),
    phone: property('The phone number.', 100),
    city: property('The city.'),
    country: property('The country.'),
    description: property('What the company does.', 65_536),
  },
  needsOneOf: ['name', 'domain'],
  search:
    'Search companies by words or by properties; without both, list them. Returns their IDs and usual properties. At ' +
    'most 10000 companies of a search can be read. The people of a company: search_contacts with the filter ' +
    'associations.company.',
  get: 'Read one company with its properties.',
  create: 'Create a company. Search for its domain first, because HubSpot accepts duplicates. Returns its ID.',
  update: 'Update properties of a company. Omitted properties stay unchanged; an empty text clears one.',
})

const dealTools = toolsOfKind({
  one: 'deal',
  many: 'deals',
  readScopes: ['crm.objects.deals.read'],
  writeScopes: ['crm.objects.deals.write'],
  usual:
    'dealname amount deal_currency_code dealstage pipeline closedate dealtype hs_is_closed hs_is_closed_won hubspot_owner_id createdate hs_lastmodifieddate',
  properties: {
    pipeline: optional(
      text('The ID of the pipeline, from list_pipelines. Required for a stage of another pipeline.', 100),
    ),
    amount: optional(text('The amount: 1200.50.', 30, { min: 0, pattern: '^(-?[0-9]+(\\.[0-9]+)?)?$' })),
    closedate: named('close_date', optional(instant('When the deal was closed, or is expected to be.'))),
    description: property('What the deal is about.', 65_536),
  },
  required: {
    dealname: named('name', text('The name.', 1000)),
    dealstage: named('stage', text('The ID of the stage, from list_pipelines for deals.', 100)),
  },
  links: { contact: 3, company: 341 },
  search:
    'Search deals by words or by properties; without both, list them. Open deals: filter hs_is_closed EQ false. ' +
    'Deals of a company: filter associations.company EQ its ID. Stages are IDs of list_pipelines. At most 10000 ' +
    'deals can be read.',
  get: 'Read one deal with its properties. The names of its stage and pipeline: list_pipelines.',
  create: 'Create a deal in a stage of list_pipelines, for a contact and a company if you give them. Returns its ID.',
  update:
    'Update properties of a deal, or move it to another stage of list_pipelines. Omitted properties stay unchanged; an empty text clears one.',
})

const ticketTools = toolsOfKind({
  one: 'ticket',
  many: 'tickets',
  readScopes: ['tickets'],
  writeScopes: ['tickets'],
  usual:
    'subject content hs_pipeline hs_pipeline_stage hs_ticket_priority hs_ticket_category source_type hubspot_owner_id createdate hs_lastmodifieddate',
  properties: {
    hs_pipeline: named(
      'pipeline',
      optional(text('The ID of the pipeline, from list_pipelines. Required for a stage of another pipeline.', 100)),
    ),
    content: property('What the ticket is about.', 65_536),
    hs_ticket_priority: named('priority', optional(oneOf(['LOW', 'MEDIUM', 'HIGH', 'URGENT'], 'The priority.'))),
  },
  required: {
    subject: named('subject', text('The subject.', 1000)),
    hs_pipeline_stage: named('stage', text('The ID of the stage (status), from list_pipelines for tickets.', 100)),
  },
  links: { contact: 16, company: 339 },
  search:
    'Search support tickets by words or by properties; without both, list them. Tickets of a contact: filter ' +
    'associations.contact EQ its ID. Stages are IDs of list_pipelines. At most 10000 tickets can be read.',
  get: 'Read one support ticket with its properties. The name of its stage: list_pipelines.',
  create:
    'Create a support ticket in a stage of list_pipelines, for a contact and a company if you give them. Returns its ID.',
  update:
    'Update properties of a support ticket, or move it to another stage of list_pipelines: close it. Omitted ' +
    'properties stay unchanged; an empty text clears one.',
})

/** HubSpot's tools for contacts, companies, deals and tickets. */
export const kindTools = [...contactTools, ...companyTools, ...dealTools, ...ticketTools]
