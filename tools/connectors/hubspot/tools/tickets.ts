import { named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { reads } from '../../annotations.ts'
import {
  company_id,
  contact_id,
  link,
  listPages,
  OBJECTS,
  oneRecord,
  otherProperties,
  owner_id,
  property,
  reading,
  recordFields,
  search,
  ticket_id,
} from '../arguments.ts'

const TICKETS = `${OBJECTS}/tickets`
const scopes = ['tickets']
const usual =
  'subject content hs_pipeline hs_pipeline_stage hs_ticket_priority hs_ticket_category source_type hubspot_owner_id createdate hs_lastmodifieddate'.split(
    ' ',
  )
const subject = text('The subject.', 1000)
const stage = text('The ID of the stage (status), from list_pipelines for tickets.', 100)
const properties = {
  '...': otherProperties('tickets'),
  hs_pipeline: named(
    'pipeline',
    optional(text('The ID of the pipeline, from list_pipelines. Required for a stage of another one.', 100)),
  ),
  content: property('What the ticket is about.', 65_536),
  hs_ticket_priority: named('priority', optional(oneOf(['LOW', 'MEDIUM', 'HIGH', 'URGENT']))),
  hubspot_owner_id: owner_id,
}

const searchTickets = tool(`search_tickets: POST ${TICKETS}/search`, {
  title: 'Search tickets',
  description:
    'Search support tickets by words or by properties; without both, list them. Those of a contact: the filter ' +
    'associations.contact EQ its ID. Stages are IDs of list_pipelines. At most 10000 tickets can be read.',
  annotations: reads,
  scopes,
  json: search(usual),
  pagination: listPages,
  keep: recordFields,
})

const getTicket = tool(`get_ticket: GET ${TICKETS}/{ticket_id}`, {
  title: 'Get a ticket',
  description: 'Read one support ticket with its properties. The name of its stage: list_pipelines.',
  scopes,
  path: { ticket_id },
  query: reading(usual),
  keep: oneRecord,
})

const createTicket = tool(`create_ticket: POST ${TICKETS}`, {
  title: 'Create a ticket',
  description:
    'Create a support ticket in a stage of list_pipelines, for a contact and a company if you give them. Returns its ID.',
  scopes,
  json: {
    properties: { ...properties, subject, hs_pipeline_stage: named('stage', stage) },
    associations: [
      link(named('contact_id', optional(contact_id)), 16),
      link(named('company_id', optional(company_id)), 339),
    ],
  },
  keep: recordFields,
})

const updateTicket = tool(`update_ticket: PATCH ${TICKETS}/{ticket_id}`, {
  title: 'Update a ticket',
  description:
    'Update properties of a support ticket, or move it to another stage of list_pipelines: close it. Omitted ones stay ' +
    'unchanged; an empty text clears one.',
  scopes,
  path: { ticket_id },
  json: {
    properties: { ...properties, subject: optional(subject), hs_pipeline_stage: named('stage', optional(stage)) },
  },
  keep: recordFields,
})

/** HubSpot's tools for tickets. */
export const ticketTools = [searchTickets, getTicket, createTicket, updateTicket]
