import { named, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { reads } from '../../annotations.ts'
import { instant } from '../../times.ts'
import {
  company_id,
  contact_id,
  deal_id,
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
} from '../arguments.ts'

const DEALS = `${OBJECTS}/deals`
const readScopes = ['crm.objects.deals.read']
const writeScopes = ['crm.objects.deals.write']
const usual =
  'dealname amount deal_currency_code dealstage pipeline closedate dealtype hs_is_closed hs_is_closed_won hubspot_owner_id createdate hs_lastmodifieddate'.split(
    ' ',
  )
const name = text('The name.', 1000)
const stage = text('The ID of the stage, from list_pipelines for deals.', 100)
const properties = {
  '...': otherProperties('deals'),
  pipeline: optional(text('The ID of the pipeline, from list_pipelines. Required for a stage of another one.', 100)),
  amount: optional(text('The amount: 1200.50.', 30, { min: 0, pattern: '^(-?[0-9]+(\\.[0-9]+)?)?$' })),
  closedate: named('close_date', optional(instant('When the deal was closed, or is expected to be.'))),
  description: property('What the deal is about.', 65_536),
  hubspot_owner_id: owner_id,
}

const searchDeals = tool(`search_deals: POST ${DEALS}/search`, {
  title: 'Search deals',
  description:
    'Search deals by words or by properties; without both, list them. Open ones: the filter hs_is_closed EQ false. Those ' +
    'of a company: associations.company EQ its ID. Stages are IDs of list_pipelines. At most 10000 deals can be read.',
  annotations: reads,
  scopes: readScopes,
  json: search(usual),
  pagination: listPages,
  keep: recordFields,
})

const getDeal = tool(`get_deal: GET ${DEALS}/{deal_id}`, {
  title: 'Get a deal',
  description: 'Read one deal with its properties. The names of its stage and pipeline: list_pipelines.',
  scopes: readScopes,
  path: { deal_id },
  query: reading(usual),
  keep: oneRecord,
})

const createDeal = tool(`create_deal: POST ${DEALS}`, {
  title: 'Create a deal',
  description:
    'Create a deal in a stage of list_pipelines, for a contact and a company if you give them. Returns its ID.',
  scopes: writeScopes,
  json: {
    properties: { ...properties, dealname: named('name', name), dealstage: named('stage', stage) },
    associations: [
      link(named('contact_id', optional(contact_id)), 3),
      link(named('company_id', optional(company_id)), 341),
    ],
  },
  keep: recordFields,
})

const updateDeal = tool(`update_deal: PATCH ${DEALS}/{deal_id}`, {
  title: 'Update a deal',
  description:
    'Update properties of a deal, or move it to another stage of list_pipelines. Omitted ones stay unchanged; an empty text clears one.',
  scopes: writeScopes,
  path: { deal_id },
  json: {
    properties: { ...properties, dealname: named('name', optional(name)), dealstage: named('stage', optional(stage)) },
  },
  keep: recordFields,
})

/** HubSpot's tools for deals. */
export const dealTools = [searchDeals, getDeal, createDeal, updateDeal]
