import { named, optional, text } from '../../../services/definitions/arguments.ts'
import { pageSize, pageStart } from '../paging.ts'
import { company_id, contact_id, deal_id, link, ticket_id } from './arguments.ts'

/** HubSpot has no scopes of their own for notes, tasks, calls and meetings. */
export const readScopes = ['crm.objects.contacts.read']
export const writeScopes = ['crm.objects.contacts.write']

/** The records that an activity is about. */
const about = {
  contact: named('contact_id', optional(contact_id)),
  company: named('company_id', optional(company_id)),
  deal: named('deal_id', optional(deal_id)),
  ticket: named('ticket_id', optional(ticket_id)),
}

/** At least one of the records that an activity is about: HubSpot shows it on their pages. */
export const needsRecord = ['contact_id', 'company_id', 'deal_id', 'ticket_id']

/** The body of a search for activities, newest first. */
export function searchActivities(properties: readonly string[]) {
  const filters = Object.entries(about).map(([kind, record]) => ({
    propertyName: `associations.${kind}`,
    operator: 'EQ',
    value: record,
  }))
  return {
    query: optional(text('Words in the text.', 3000)),
    filterGroups: [{ filters }],
    sorts: [{ propertyName: 'hs_timestamp', direction: 'DESCENDING' }],
    properties,
    limit: pageSize(20, 200),
    after: pageStart,
  }
}

/** The associations of a new activity with the records that it is about, by the IDs of their types. */
export function linksOf(types: Readonly<Record<keyof typeof about, number>>) {
  return [
    link(about.contact, types.contact),
    link(about.company, types.company),
    link(about.deal, types.deal),
    link(about.ticket, types.ticket),
  ]
}
