import t from 'tap'
import { buildProviderRequest } from '../../services/connectors/engine/provider-caller.ts'
import { readTokenAnswer } from '../../services/credentials/token-answer.ts'
import { withAccountEndpoints } from '../../services/credentials/token-endpoint.ts'
import { salesforce } from '../../tools/connectors/salesforce/connector.ts'
import { accessTo, engine, recordingUpstream } from '../services/connectors/connector-engine-fixture.ts'
import { checkRow, exchange, given, type Row } from './exchange.ts'

// For what the description of Salesforce lacks, and for what it says only in general. Requests and answers follow
// https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/ (2026-11-25). Not tried with an account.

const D = '/services/data/v67.0'
const settings = { instance_url: 'https://acme.my.salesforce.com' }
const ACCOUNT = '001D000000IqhSLIAZ'
const CONTACT = '003D000000QV9n2IAD'
const attributes = { type: 'Account', url: `${D}/sobjects/Account/${ACCOUNT}` }
const made = { id: ACCOUNT, success: true, errors: [] }
const kept = { id: ACCOUNT, success: true }
const found = (name: string, fields: string) => ({
  body: { q: 'acme', in: 'ALL', sobjects: [{ name, fields: fields.split(' '), limit: 20 }] },
})

const SEARCHES: Row[] = [
  ['search_accounts', 'Account', 'Id Name Website Phone Industry BillingCity BillingCountry OwnerId'],
  ['search_contacts', 'Contact', 'Id Name Email Phone Title AccountId OwnerId'],
  ['search_leads', 'Lead', 'Id Name Company Email Phone Status IsConverted OwnerId'],
  ['search_opportunities', 'Opportunity', 'Id Name StageName Amount CloseDate IsClosed IsWon AccountId OwnerId'],
  ['search_cases', 'Case', 'Id CaseNumber Subject Status Priority IsClosed ContactId AccountId OwnerId CreatedDate'],
  ['search_users', 'User', 'Id Name Email Username Title IsActive'],
].map(
  ([operation = '', name = '', fields = '']): Row => [
    operation,
    { query: 'acme' },
    `POST ${D}/parameterizedSearch/`,
    found(name, fields),
    { searchRecords: [{ attributes, Id: ACCOUNT, OwnerId: null }] },
    { items: [{ Id: ACCOUNT }] },
  ],
)

const ROWS: Row[] = [
  ...SEARCHES,
  [
    'query_records',
    { q: "SELECT Id FROM Account WHERE Name LIKE 'A%'" },
    `GET ${D}/query`,
    { query: { q: "SELECT Id FROM Account WHERE Name LIKE 'A%'" } },
    { totalSize: 1, done: true, records: [{ attributes, Id: ACCOUNT }] },
    { items: [{ attributes, Id: ACCOUNT }] },
  ],
  [
    'list_related_records',
    { object: 'Account', record_id: ACCOUNT, relationship: 'Contacts' },
    `GET ${D}/sobjects/Account/${ACCOUNT}/Contacts`,
    {},
    { totalSize: 1, done: true, records: [{ Id: CONTACT }] },
    { items: [{ Id: CONTACT }] },
  ],
  [
    'list_objects',
    {},
    `GET ${D}/sobjects`,
    {},
    { encoding: 'UTF-8', sobjects: [{ name: 'Account', label: 'Account', custom: false, urls: {} }] },
    { items: [{ name: 'Account', label: 'Account', custom: false }] },
  ],
  [
    'describe_object',
    { object: 'Invoice__c' },
    `GET ${D}/sobjects/Invoice__c/describe`,
    {},
    { name: 'Invoice__c', fields: [{ name: 'Name', type: 'string', nillable: false, byteLength: 240 }], urls: {} },
    { name: 'Invoice__c', fields: [{ name: 'Name', type: 'string', nillable: false }] },
  ],
  [
    'list_recent_records',
    {},
    `GET ${D}/recent`,
    { query: { limit: '20' } },
    [{ attributes, Id: ACCOUNT, Name: 'Acme' }],
    { items: [{ Id: ACCOUNT, Name: 'Acme', attributes: { type: 'Account' } }] },
  ],
  [
    'get_current_user',
    {},
    'GET /services/oauth2/userinfo',
    {},
    { sub: 'x', user_id: '005x', organization_id: '00Dx', name: 'Ada', preferred_username: 'ada@acme.test', urls: {} },
    { user_id: '005x', organization_id: '00Dx', name: 'Ada', preferred_username: 'ada@acme.test' },
  ],
  [
    'search_with_sosl',
    { q: 'FIND {Acme} RETURNING Account(Id) LIMIT 20' },
    `GET ${D}/search/`,
    { query: { q: 'FIND {Acme} RETURNING Account(Id) LIMIT 20' } },
    { searchRecords: [{ attributes, Id: ACCOUNT }] },
    { items: [{ attributes, Id: ACCOUNT }] },
  ],
  [
    'get_record',
    { object: 'Account', record_id: ACCOUNT, fields: ['Name', 'Owner.Name'] },
    `GET ${D}/sobjects/Account/${ACCOUNT}`,
    { query: { fields: 'Name,Owner.Name' } },
    { attributes, Name: 'Acme' },
  ],
  [
    'create_record',
    { object: 'Invoice__c', fields: { Name: '7' } },
    `POST ${D}/sobjects/Invoice__c`,
    { body: { Name: '7' } },
    made,
    kept,
  ],
  [
    'update_record',
    { object: 'Account', record_id: ACCOUNT, fields: { Industry: null, Score__c: 3 } },
    `PATCH ${D}/sobjects/Account/${ACCOUNT}`,
    { body: { Industry: null, Score__c: 3 } },
    undefined,
    `The Account ${ACCOUNT} was updated.`,
  ],
  [
    'delete_record',
    { object: 'Account', record_id: ACCOUNT },
    `DELETE ${D}/sobjects/Account/${ACCOUNT}`,
    {},
    undefined,
    `The Account ${ACCOUNT} was deleted.`,
  ],
  [
    'create_account',
    { name: 'Acme', website: 'https://acme.test', other_fields: { Score__c: 3 } },
    `POST ${D}/sobjects/Account`,
    { body: { Name: 'Acme', Website: 'https://acme.test', Score__c: 3 } },
    made,
    kept,
  ],
  [
    'create_contact',
    { last_name: 'Lovelace', first_name: 'Ada', account_id: ACCOUNT },
    `POST ${D}/sobjects/Contact`,
    { body: { FirstName: 'Ada', LastName: 'Lovelace', AccountId: ACCOUNT } },
    made,
    kept,
  ],
  [
    'create_lead',
    { last_name: 'Hopper', company: 'Navy', source: 'Web' },
    `POST ${D}/sobjects/Lead`,
    { body: { LastName: 'Hopper', Company: 'Navy', LeadSource: 'Web' } },
    made,
    kept,
  ],
  [
    'create_opportunity',
    { name: 'Renewal', stage: 'Prospecting', close_date: '2026-12-31', amount: 1200.5, account_id: ACCOUNT },
    `POST ${D}/sobjects/Opportunity`,
    {
      body: { Name: 'Renewal', StageName: 'Prospecting', CloseDate: '2026-12-31', Amount: 1200.5, AccountId: ACCOUNT },
    },
    made,
    kept,
  ],
  [
    'create_case',
    { subject: 'Empty export', contact_id: CONTACT },
    `POST ${D}/sobjects/Case`,
    { body: { Subject: 'Empty export', ContactId: CONTACT } },
    made,
    kept,
  ],
  [
    'add_case_comment',
    { case_id: '500D000000IqhSLIAZ', comment: 'Fixed.' },
    `POST ${D}/sobjects/CaseComment`,
    { body: { ParentId: '500D000000IqhSLIAZ', CommentBody: 'Fixed.', IsPublished: false } },
    made,
    kept,
  ],
  [
    'create_task',
    { subject: 'Send the offer', due: '2026-12-01', who_id: CONTACT, what_id: ACCOUNT },
    `POST ${D}/sobjects/Task`,
    { body: { Subject: 'Send the offer', ActivityDate: '2026-12-01', WhoId: CONTACT, WhatId: ACCOUNT } },
    made,
    kept,
  ],
  [
    'log_call',
    { subject: 'Demo', notes: 'They decide on Monday.', date: '2026-11-25', direction: 'Outbound', who_id: CONTACT },
    `POST ${D}/sobjects/Task`,
    {
      body: {
        TaskSubtype: 'Call',
        Status: 'Completed',
        Subject: 'Demo',
        Description: 'They decide on Monday.',
        ActivityDate: '2026-11-25',
        CallType: 'Outbound',
        WhoId: CONTACT,
      },
    },
    made,
    kept,
  ],
  [
    'create_event',
    { subject: 'Kickoff', start: '2026-12-01T09:00:00Z', end: '2026-12-01T10:00:00Z', what_id: ACCOUNT },
    `POST ${D}/sobjects/Event`,
    {
      body: {
        Subject: 'Kickoff',
        StartDateTime: '2026-12-01T09:00:00Z',
        EndDateTime: '2026-12-01T10:00:00Z',
        WhatId: ACCOUNT,
      },
    },
    made,
    kept,
  ],
]

t.test('every tool of Salesforce has an exchange', async t => {
  const covered = new Set(ROWS.map(([operation]) => operation))
  t.same(
    salesforce.tools.map(({ operation }) => operation).filter(operation => !covered.has(operation)),
    [],
  )
})

for (const row of ROWS)
  t.test(`salesforce__${row[0]} sends and returns what is documented`, async t => {
    await checkRow(t, salesforce, settings, row)
  })

t.test('a query continues at the URL of its next records', async t => {
  const query = { operation: 'query_records', args: { q: 'SELECT Id FROM Account' } }
  const next = `${D}/query/01gD0000002HU6KIAW-200`
  const more = { totalSize: 300, done: false, nextRecordsUrl: next, records: [{ Id: ACCOUNT }] }
  const first = await exchange(salesforce, settings, { ...query, answer: { body: more } })
  const { next_cursor: cursor } = given(first.result) as { next_cursor: string }
  t.match(first.sent.headers, { 'sforce-query-options': 'batchSize=200' })
  const last = { totalSize: 300, done: true, records: [] }
  const second = await exchange(salesforce, settings, {
    ...query,
    args: { ...query.args, cursor },
    answer: { body: last },
  })
  t.match(second.sent, { method: 'GET', path: next, query: undefined })
  t.notOk('next_cursor' in (given(second.result) as object))
})

t.test('an account signs in where it says, and its requests go to the host of its token', async t => {
  const at = (login: string) => withAccountEndpoints(salesforce, { login }).auth
  t.match(at('login'), { tokenUrl: 'https://login.salesforce.com/services/oauth2/token' })
  t.match(at('test'), { authorizationUrl: 'https://test.salesforce.com/services/oauth2/authorize' })
  t.match(at('acme--uat.sandbox.my'), { tokenUrl: 'https://acme--uat.sandbox.my.salesforce.com/services/oauth2/token' })
  const answer = { access_token: '00D!x', refresh_token: 'r', issued_at: '1', scope: 'api id', ...settings }
  const quirks = salesforce.auth.type === 'oauth2' ? salesforce.auth.quirks : undefined
  t.match(readTokenAnswer(JSON.stringify(answer), quirks), { kept: settings, own: { expiresIn: undefined } })
  const identity = buildProviderRequest(salesforce, { url: '/services/oauth2/userinfo' }, { settings })
  t.equal(identity.url.href, 'https://acme.my.salesforce.com/services/oauth2/userinfo')
})

t.test('Salesforce’s errors are lists, and say what to do', async t => {
  const failure = async (status: number, errorCode: string) => {
    const answer = { status, body: [{ message: 'It is wrong.', errorCode, fields: [] }] }
    const call = { operation: 'query_records', args: { q: 'SELECT' } }
    return (await exchange(salesforce, settings, { ...call, answer })).error
  }
  t.match(await failure(400, 'MALFORMED_QUERY'), { message: /It is wrong.*Correct the SOQL/ })
  t.match(await failure(403, 'REQUEST_LIMIT_EXCEEDED'), { code: 'upstream_rate_limited' })
  t.match(await failure(401, 'INVALID_SESSION_ID'), { code: 'connect_failed' })
})

t.test('what is written to Salesforce is read back', async t => {
  const records = new Map<string, Record<string, unknown>>()
  const upstream = await recordingUpstream(t)
  upstream.reply = ({ method, url, body }) => {
    const [, id] = /\/sobjects\/Account\/?(\w*)/.exec(url) ?? []
    const fields = body.length > 0 ? JSON.parse(body.toString()) : {}
    if (method === 'POST') records.set(ACCOUNT, fields)
    if (method === 'POST') return { status: 201, body: made }
    const there = records.get(id ?? '')
    if (there === undefined)
      return { status: 404, body: [{ errorCode: 'NOT_FOUND', message: 'The record is missing.' }] }
    if (method === 'GET') return { body: { attributes, Id: id, ...there } }
    if (method === 'DELETE') records.delete(id ?? '')
    else records.set(id ?? '', { ...there, ...fields })
    return { status: 204 }
  }
  const { run } = engine(t)
  const call = async (operation: string, args: Record<string, unknown>) => {
    const tools = salesforce.tools.filter(tool => tool.operation === operation)
    return given(await run({ ...salesforce, baseUrl: upstream.origin, tools }, args, accessTo(salesforce))) as Record<
      string,
      unknown
    >
  }
  const { id } = await call('create_account', { name: 'Acme', industry: 'Banking' })
  const record = { object: 'Account', record_id: id }
  await call('update_record', { ...record, fields: { Industry: null, Score__c: 3 } })
  t.same(await call('get_record', record), { attributes, Id: id, Name: 'Acme', Score__c: 3 })
  await call('delete_record', record)
  await t.rejects(call('get_record', record), { message: /The record is missing/ })
})
