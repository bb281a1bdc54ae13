import { oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { pageSize, pageStart } from '../../paging.ts'
import { listPages, VERSION } from '../arguments.ts'

const listPipelines = tool(`list_pipelines: GET /crm/pipelines/${VERSION}/{object_type}`, {
  title: 'List pipelines',
  description:
    'List the pipelines of deals or tickets with their stages: the IDs that deals and tickets have and take, names and order.',
  path: { object_type: oneOf(['deals', 'tickets'], 'The kind of record.') },
  at: '/results',
  keep: 'id label displayOrder stages { id label displayOrder metadata { isClosed probability ticketState } }',
})

const listOwners = tool(`list_owners: GET /crm/owners/${VERSION}`, {
  title: 'List owners',
  description:
    'List the people who can own records and tasks: the IDs that other tools take, names, email addresses, teams.',
  scopes: ['crm.objects.owners.read'],
  query: {
    email: optional(text('Only the owner with this email address.', 320)),
    limit: pageSize(100, 500),
    after: pageStart,
  },
  pagination: listPages,
  keep: 'id email firstName lastName userId type teams { id name primary }',
})

const getAccount = tool(`get_account: GET /account-info/${VERSION}/details`, {
  title: 'Get the HubSpot account',
  description: 'Read the connected HubSpot account: its ID (portal), kind, time zone and currency.',
  scopes: ['oauth'],
  keep: 'portalId accountType timeZone utcOffset companyCurrency additionalCurrencies uiDomain dataHostingLocation',
})

/** HubSpot's tools for what is set up in an account. */
export const accountTools = [listPipelines, listOwners, getAccount]
