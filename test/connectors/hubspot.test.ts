import t from 'tap'
import { hubspot } from '../../tools/connectors/hubspot/connector.ts'
import { engine, recordingUpstream } from '../services/connectors/connector-engine-fixture.ts'
import { checkRow, exchange, given, type Row } from './exchange.ts'

// The tests have a description of contacts in version 3 only. Requests and answers follow HubSpot's own descriptions of
// version 2026-09 (github.com/HubSpot/HubSpot-public-api-spec-collection, 2026-08-21), and its guides at
// https://developers.hubspot.com/docs/api-reference/latest (2026-11-25). Not tried with an account.

const O = '/crm/objects/2026-09'
const record = {
  id: '101',
  properties: { name: 'Acme', hs_object_id: '101' },
  createdAt: '2026-01-02T03:04:05.000Z',
  updatedAt: '2026-01-02T03:04:05.000Z',
  archived: false,
}
const noise = { objectWriteTraceId: 'x', propertiesWithHistory: {} }
const written = { id: '7', createdAt: record.createdAt }
const to = (id: string, associationTypeId: number) => ({
  to: { id },
  types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId }],
})
const listed = (...results: unknown[]) => ({ total: results.length, results })
const default_ = (operation: string, argument = 'return_properties') =>
  hubspot.tools.find(tool => tool.operation === operation)?.input.properties[argument]?.default as string[]
const newest = [{ propertyName: 'hs_timestamp', direction: 'DESCENDING' }]
const about = (kind: string, value: string) => ({ propertyName: `associations.${kind}`, operator: 'EQ', value })
const time = '2026-03-31T09:00:00Z'

const KINDS = [
  [
    'contact',
    'contacts',
    { email: 'ada@example.com', first_name: 'Ada' },
    { email: 'ada@example.com', firstname: 'Ada' },
  ],
  ['company', 'companies', { name: 'Acme', domain: 'acme.test' }, { name: 'Acme', domain: 'acme.test' }],
  [
    'deal',
    'deals',
    { name: 'Renewal', stage: 's1', amount: '1200.50' },
    { dealname: 'Renewal', dealstage: 's1', amount: '1200.50' },
  ],
  [
    'ticket',
    'tickets',
    { subject: 'Empty', stage: '1', priority: 'HIGH' },
    { subject: 'Empty', hs_pipeline_stage: '1', hs_ticket_priority: 'HIGH' },
  ],
] as const

/** What all kinds of records have in common. Without a result, the answer is returned. */
const RECORDS: Row[] = KINDS.flatMap(([kind, kinds, args, properties]): Row[] => [
  [
    `search_${kinds}`,
    {
      query: 'acme',
      filters: [{ propertyName: 'createdate', operator: 'GTE', value: time }],
      sort: { propertyName: 'createdate', direction: 'DESCENDING' },
      return_properties: ['name'],
    },
    `POST ${O}/${kinds}/search`,
    {
      body: {
        query: 'acme',
        filterGroups: [{ filters: [{ propertyName: 'createdate', operator: 'GTE', value: time }] }],
        sorts: [{ propertyName: 'createdate', direction: 'DESCENDING' }],
        properties: ['name'],
        limit: 20,
      },
    },
    listed({ ...record, ...noise }),
    { items: [record] },
  ],
  [
    `search_${kinds}`,
    {},
    `POST ${O}/${kinds}/search`,
    { body: { properties: default_(`search_${kinds}`), limit: 20 } },
    listed(),
    { items: [] },
  ],
  [
    `get_${kind}`,
    { [`${kind}_id`]: '101', return_properties: ['name', 'x'], with_ids_of: ['deals', 'tickets'] },
    `GET ${O}/${kinds}/101`,
    { query: { properties: 'name,x', associations: 'deals,tickets' } },
    { ...record, ...noise, associations: { deals: { results: [{ id: '9', type: 'x' }], paging: {} } } },
    { ...record, associations: { deals: { results: [{ id: '9', type: 'x' }] } } },
  ],
  [
    `create_${kind}`,
    { ...args, properties: { custom: '3' } },
    `POST ${O}/${kinds}`,
    { body: { properties: { ...properties, custom: '3' } } },
    { ...record, ...noise },
    record,
  ],
  [
    `update_${kind}`,
    { [`${kind}_id`]: '101', owner_id: '', properties: { custom: '' } },
    `PATCH ${O}/${kinds}/101`,
    { body: { properties: { hubspot_owner_id: '', custom: '' } } },
    { ...record, ...noise },
    record,
  ],
])

const ROWS: Row[] = [
  ...RECORDS,
  [
    'create_contact',
    { email: 'ada@example.com', company_id: '5' },
    `POST ${O}/contacts`,
    { body: { properties: { email: 'ada@example.com' }, associations: [to('5', 279)] } },
    record,
  ],
  [
    'create_deal',
    { name: 'Renewal', stage: 's1', contact_id: '4', company_id: '5' },
    `POST ${O}/deals`,
    { body: { properties: { dealname: 'Renewal', dealstage: 's1' }, associations: [to('4', 3), to('5', 341)] } },
    record,
  ],
  [
    'create_ticket',
    { subject: 'Empty', stage: '1', contact_id: '4', company_id: '5' },
    `POST ${O}/tickets`,
    { body: { properties: { subject: 'Empty', hs_pipeline_stage: '1' }, associations: [to('4', 16), to('5', 339)] } },
    record,
  ],
  [
    'list_properties',
    { object_type: 'deals' },
    'GET /crm/properties/2026-09/deals',
    {},
    {
      results: [
        { name: 'amount', label: 'Amount', type: 'number', fieldType: 'number', description: 'x', options: [] },
      ],
    },
    { items: [{ name: 'amount', label: 'Amount', type: 'number', fieldType: 'number' }] },
  ],
  [
    'get_property',
    { object_type: 'contacts', property: 'color' },
    'GET /crm/properties/2026-09/contacts/color',
    {},
    {
      name: 'color',
      type: 'enumeration',
      options: [{ value: 'green', label: 'Green', hidden: false, displayOrder: 1 }],
    },
    { name: 'color', type: 'enumeration', options: [{ value: 'green', label: 'Green', hidden: false }] },
  ],
  [
    'archive_record',
    { object_type: 'deals', record_id: '101' },
    `DELETE ${O}/deals/101`,
    {},
    undefined,
    'The record 101 was archived.',
  ],
  [
    'merge_records',
    { object_type: 'contacts', primary_id: '101', duplicate_id: '102' },
    `POST ${O}/contacts/merge`,
    { body: { primaryObjectId: '101', objectIdToMerge: '102' } },
    record,
  ],
  [
    'list_associations',
    { from_type: 'companies', from_id: '5', to_type: 'contacts' },
    `GET ${O}/companies/5/associations/contacts`,
    { query: { limit: '100' } },
    { results: [{ toObjectId: '4', associationTypes: [{ category: 'HUBSPOT_DEFINED', typeId: 280, label: null }] }] },
    { items: [{ toObjectId: '4', associationTypes: [{ category: 'HUBSPOT_DEFINED', typeId: 280 }] }] },
  ],
  [
    'associate_records',
    { from_type: 'contacts', from_id: '4', to_type: 'deals', to_id: '9' },
    `PUT ${O}/contacts/4/associations/default/deals/9`,
    {},
    { status: 'COMPLETE', results: [] },
    'contacts 4 and deals 9 are associated.',
  ],
  [
    'list_association_labels',
    { from_type: 'contacts', to_type: 'deals' },
    'GET /crm/associations/2026-09/contacts/deals/labels',
    {},
    { results: [{ category: 'USER_DEFINED', typeId: 30, label: 'Decision maker' }] },
    { items: [{ typeId: 30, category: 'USER_DEFINED', label: 'Decision maker' }] },
  ],
  [
    'label_association',
    { from_type: 'contacts', from_id: '4', to_type: 'deals', to_id: '9', category: 'USER_DEFINED', type_id: 30 },
    `PUT ${O}/contacts/4/associations/deals/9`,
    { body: [{ associationCategory: 'USER_DEFINED', associationTypeId: 30 }] },
    { fromObjectId: '4', toObjectId: '9', labels: ['Decision maker'] },
    'contacts 4 and deals 9 are associated with the label.',
  ],
  [
    'remove_association',
    { from_type: 'contacts', from_id: '4', to_type: 'deals', to_id: '9' },
    `DELETE ${O}/contacts/4/associations/deals/9`,
    {},
    undefined,
    'contacts 4 and deals 9 are no longer associated.',
  ],
  [
    'search_notes',
    { company_id: '5', deal_id: '9' },
    `POST ${O}/notes/search`,
    {
      body: {
        filterGroups: [{ filters: [about('company', '5'), about('deal', '9')] }],
        sorts: newest,
        properties: ['hs_note_body', 'hs_timestamp', 'hubspot_owner_id'],
        limit: 20,
      },
    },
    listed({
      id: '7',
      properties: { hs_note_body: '<p>They <strong>renew</strong>.</p>', hs_timestamp: time },
      archived: false,
    }),
    { items: [{ id: '7', properties: { hs_note_body: 'They **renew**.', hs_timestamp: time } }] },
  ],
  [
    'create_note',
    { body: 'They **renew**.', time, company_id: '5', ticket_id: '6' },
    `POST ${O}/notes`,
    {
      body: {
        properties: { hs_note_body: '<p>They <strong>renew</strong>.</p>\n', hs_timestamp: time },
        associations: [to('5', 190), to('6', 228)],
      },
    },
    { ...record, ...written },
    written,
  ],
  [
    'search_tasks',
    { query: 'offer' },
    `POST ${O}/tasks/search`,
    {
      body: {
        query: 'offer',
        sorts: newest,
        properties:
          'hs_task_subject hs_task_body hs_task_status hs_task_priority hs_task_type hs_timestamp hubspot_owner_id'.split(
            ' ',
          ),
        limit: 20,
      },
    },
    listed({ id: '7', properties: { hs_task_subject: 'Send the offer', hs_task_status: 'NOT_STARTED', x: '1' } }),
    { items: [{ id: '7', properties: { hs_task_subject: 'Send the offer', hs_task_status: 'NOT_STARTED' } }] },
  ],
  [
    'create_task',
    { subject: 'Send the offer', due: time, owner_id: '3', contact_id: '4', deal_id: '9' },
    `POST ${O}/tasks`,
    {
      body: {
        properties: {
          hs_task_subject: 'Send the offer',
          hs_timestamp: time,
          hs_task_status: 'NOT_STARTED',
          hubspot_owner_id: '3',
        },
        associations: [to('4', 204), to('9', 216)],
      },
    },
    { ...record, ...written },
    written,
  ],
  [
    'update_task',
    { task_id: '7', status: 'COMPLETED' },
    `PATCH ${O}/tasks/7`,
    { body: { properties: { hs_task_status: 'COMPLETED' } } },
    { id: '7', properties: { hs_task_status: 'COMPLETED' } },
  ],
  [
    'search_calls',
    { contact_id: '4' },
    `POST ${O}/calls/search`,
    {
      body: {
        filterGroups: [{ filters: [about('contact', '4')] }],
        sorts: newest,
        properties:
          'hs_call_title hs_call_body hs_call_direction hs_call_duration hs_call_status hs_timestamp hubspot_owner_id'.split(
            ' ',
          ),
        limit: 20,
      },
    },
    listed({ id: '7', properties: { hs_call_title: 'Demo', hs_call_duration: '900000' } }),
    { items: [{ id: '7', properties: { hs_call_title: 'Demo', hs_call_duration: '900000' } }] },
  ],
  [
    'log_call',
    { title: 'Demo', start: time, direction: 'OUTBOUND', duration_ms: '900000', contact_id: '4', ticket_id: '6' },
    `POST ${O}/calls`,
    {
      body: {
        properties: {
          hs_call_title: 'Demo',
          hs_timestamp: time,
          hs_call_direction: 'OUTBOUND',
          hs_call_duration: '900000',
          hs_call_status: 'COMPLETED',
        },
        associations: [to('4', 194), to('6', 220)],
      },
    },
    { ...record, ...written },
    written,
  ],
  [
    'search_meetings',
    { ticket_id: '6' },
    `POST ${O}/meetings/search`,
    {
      body: {
        filterGroups: [{ filters: [about('ticket', '6')] }],
        sorts: newest,
        properties:
          'hs_meeting_title hs_meeting_body hs_meeting_start_time hs_meeting_end_time hs_meeting_location hs_meeting_outcome hubspot_owner_id'.split(
            ' ',
          ),
        limit: 20,
      },
    },
    listed({ id: '7', properties: { hs_meeting_title: 'Kickoff' } }),
    { items: [{ id: '7', properties: { hs_meeting_title: 'Kickoff' } }] },
  ],
  [
    'log_meeting',
    { title: 'Kickoff', start: time, end: '2026-03-31T10:00:00Z', company_id: '5', deal_id: '9' },
    `POST ${O}/meetings`,
    {
      body: {
        properties: {
          hs_meeting_title: 'Kickoff',
          hs_timestamp: time,
          hs_meeting_start_time: time,
          hs_meeting_end_time: '2026-03-31T10:00:00Z',
        },
        associations: [to('5', 188), to('9', 212)],
      },
    },
    { ...record, ...written },
    written,
  ],
  [
    'list_pipelines',
    { object_type: 'tickets' },
    'GET /crm/pipelines/2026-09/tickets',
    {},
    {
      results: [
        {
          id: '0',
          label: 'Support',
          displayOrder: 0,
          stages: [{ id: '1', label: 'New', metadata: { ticketState: 'OPEN' } }],
        },
      ],
    },
    {
      items: [
        {
          id: '0',
          label: 'Support',
          displayOrder: 0,
          stages: [{ id: '1', label: 'New', metadata: { ticketState: 'OPEN' } }],
        },
      ],
    },
  ],
  [
    'list_owners',
    { email: 'ada@example.com' },
    'GET /crm/owners/2026-09',
    { query: { email: 'ada@example.com', limit: '100' } },
    { results: [{ id: '3', email: 'ada@example.com', firstName: 'Ada', userId: 30, type: 'PERSON', archived: false }] },
    { items: [{ id: '3', email: 'ada@example.com', firstName: 'Ada', userId: 30, type: 'PERSON' }] },
  ],
  [
    'get_account',
    {},
    'GET /account-info/2026-09/details',
    {},
    { portalId: 62515, timeZone: 'Europe/Berlin', companyCurrency: 'EUR', utcOffsetMilliseconds: 1 },
    { portalId: 62515, timeZone: 'Europe/Berlin', companyCurrency: 'EUR' },
  ],
]

t.test('every tool of HubSpot has an exchange', async t => {
  const covered = new Set(ROWS.map(([operation]) => operation))
  t.same(
    hubspot.tools.map(({ operation }) => operation).filter(operation => !covered.has(operation)),
    [],
  )
})

for (const row of ROWS)
  t.test(`hubspot__${row[0]} sends and returns what is documented: ${JSON.stringify(row[1]).slice(0, 60)}`, async t => {
    await checkRow(t, hubspot, {}, row)
  })

t.test('a search continues with HubSpot’s position, and ends without one', async t => {
  const search = { operation: 'search_deals', args: { query: 'acme' } }
  const more = { ...listed(record), paging: { next: { after: '20', link: 'x' } } }
  const first = await exchange(hubspot, {}, { ...search, answer: { body: more } })
  const { next_cursor: cursor } = given(first.result) as { next_cursor: string }
  const second = await exchange(
    hubspot,
    {},
    { ...search, args: { ...search.args, cursor }, answer: { body: listed() } },
  )
  t.match(second.sent.body, { after: '20' })
  t.notOk('next_cursor' in (given(second.result) as object))
})

t.test('HubSpot’s errors say what to do', async t => {
  const failure = async (status: number, body: object) => {
    const call = { operation: 'update_deal', args: { deal_id: '9', stage: 'won' } }
    return (await exchange(hubspot, {}, { ...call, answer: { status, body } })).error
  }
  const error = (category: string) => ({ status: 'error', message: 'It is wrong.', correlationId: 'x', category })
  t.match(await failure(400, error('VALIDATION_ERROR')), {
    code: 'upstream_rejected',
    message: /It is wrong.*An admin may require/,
  })
  t.match(await failure(403, error('MISSING_SCOPES')), { code: 'scope_missing' })
  t.match(await failure(429, { ...error('RATE_LIMITS'), policyName: 'SECONDLY' }), { code: 'upstream_rate_limited' })
})

t.test('what is written to HubSpot is read back', async t => {
  const records = new Map<string, { properties: Record<string, string> }>()
  const upstream = await recordingUpstream(t)
  upstream.reply = ({ method, url, body }) => {
    const [, id = '', search] = /^\/crm\/objects\/2026-09\/contacts\/?(\d*)(search)?/.exec(url) ?? []
    const json = body.length > 0 ? JSON.parse(body.toString()) : {}
    const found = (one: string) => ({ ...record, id: one, properties: records.get(one)?.properties })
    if (search)
      return {
        body: listed(
          ...[...records.keys()].filter(one => JSON.stringify(records.get(one)).includes(json.query)).map(found),
        ),
      }
    const made = id || String(records.size + 1)
    if (method !== 'GET') records.set(made, { properties: { ...records.get(made)?.properties, ...json.properties } })
    return records.has(made) ? { body: found(made) } : { status: 404, body: { category: 'OBJECT_NOT_FOUND' } }
  }
  const { run } = engine(t)
  const call = async (operation: string, args: Record<string, unknown>) => {
    const tools = hubspot.tools.filter(tool => tool.operation === operation)
    return given(await run({ ...hubspot, baseUrl: upstream.origin, tools }, args)) as Record<string, unknown>
  }
  const { id } = await call('create_contact', { email: 'ada@example.com', properties: { color: 'green' } })
  await call('update_contact', { contact_id: id, first_name: 'Ada', properties: { color: 'blue' } })
  const properties = { email: 'ada@example.com', firstname: 'Ada', color: 'blue' }
  t.match(await call('get_contact', { contact_id: id }), { id, properties })
  t.match(await call('search_contacts', { query: 'ada@' }), { items: [{ id, properties }] })
  t.match(await call('search_contacts', { query: 'grace' }), { items: [] })
})
