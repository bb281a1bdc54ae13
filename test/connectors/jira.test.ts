import t from 'tap'
import { jira } from '../../tools/connectors/jira/connector.ts'
import { ARTIFACT, type Exchange, exchange, given } from './exchange.ts'

// Written from https://developer.atlassian.com/cloud/jira/platform/rest/v3/, because the tests have no description of
// Jira.

const CLOUD = '11223344-a1b2-4b33-8c44-def123456789'
const BASE = `/ex/jira/${CLOUD}/rest/api/3`
const SITE = { cloud_id: CLOUD, site: 'https://example.atlassian.net' }

const ada = {
  accountId: '5b10a2844c20165700ede21g',
  displayName: 'Ada Lovelace',
  avatarUrls: { '48x48': 'https://a.test' },
}
const fields = {
  summary: 'Login crashes',
  status: { self: 'https://x.test', name: 'In Progress', statusCategory: { id: 4, name: 'In Progress' } },
  issuetype: { name: 'Bug', iconUrl: 'https://x.test' },
  priority: { name: 'High' },
  assignee: ada,
  reporter: ada,
  labels: ['web'],
  project: { key: 'ENG', name: 'Engineering' },
  created: '2026-01-02T03:04:05.000+0000',
  updated: '2026-01-03T03:04:05.000+0000',
  duedate: null,
}
const keptFields = {
  summary: 'Login crashes',
  status: { name: 'In Progress', statusCategory: { name: 'In Progress' } },
  issuetype: { name: 'Bug' },
  priority: { name: 'High' },
  assignee: { displayName: 'Ada Lovelace', accountId: ada.accountId },
  reporter: { displayName: 'Ada Lovelace' },
  labels: ['web'],
  project: { key: 'ENG' },
  created: fields.created,
  updated: fields.updated,
}
const asked = [
  'summary',
  'status',
  'issuetype',
  'priority',
  'assignee',
  'reporter',
  'labels',
  'parent',
  'project',
  'created',
  'updated',
  'duedate',
]
const document = (text: string) => ({
  type: 'doc',
  version: 1,
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})
const rich = {
  type: 'doc',
  version: 1,
  content: [
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'One ' },
        { type: 'text', text: 'line', marks: [{ type: 'strong' }] },
        { type: 'text', text: '.' },
        { type: 'hardBreak' },
        { type: 'text', text: 'Another.' },
      ],
    },
  ],
}

const EXCHANGES: Exchange[] = [
  {
    operation: 'search_issues',
    args: { jql: 'project = ENG ORDER BY updated', limit: 2 },
    request: {
      method: 'POST',
      path: `${BASE}/search/jql`,
      body: { jql: 'project = ENG ORDER BY updated', maxResults: 2, fields: asked },
    },
    answer: { body: { issues: [{ id: '1', key: 'ENG-1', self: 'https://x.test', fields }], isLast: true } },
    result: { items: [{ id: '1', key: 'ENG-1', fields: keptFields }] },
  },
  {
    operation: 'count_issues',
    args: { jql: 'project = ENG' },
    request: { method: 'POST', path: `${BASE}/search/approximate-count`, body: { jql: 'project = ENG' } },
    answer: { body: { count: 153 } },
    result: { count: 153 },
  },
  {
    operation: 'get_issue',
    args: { issue: 'ENG-1' },
    request: {
      method: 'GET',
      path: `${BASE}/issue/ENG-1`,
      query: {
        fields: [
          ...asked,
          'description',
          'resolution',
          'resolutiondate',
          'subtasks',
          'issuelinks',
          'attachment',
        ].join(),
      },
    },
    answer: {
      body: {
        id: '1',
        key: 'ENG-1',
        fields: {
          ...fields,
          description: rich,
          subtasks: [
            { id: '2', key: 'ENG-2', fields: { summary: 'Find out', status: { name: 'To Do' }, priority: {} } },
          ],
          issuelinks: [
            {
              id: '9',
              type: { id: '1', name: 'Blocks', inward: 'is blocked by', outward: 'blocks' },
              outwardIssue: { id: '3', key: 'ENG-3', fields: { summary: 'Ship it', status: { name: 'To Do' } } },
            },
          ],
          attachment: [{ id: '10001', filename: 'a.png', mimeType: 'image/png', size: 23, content: 'https://x.test' }],
        },
      },
    },
    result: {
      id: '1',
      key: 'ENG-1',
      fields: {
        ...keptFields,
        subtasks: [{ key: 'ENG-2', fields: { summary: 'Find out', status: { name: 'To Do' } } }],
        description: 'One **line**.\nAnother.',
        issuelinks: [
          {
            id: '9',
            type: { name: 'Blocks', inward: 'is blocked by', outward: 'blocks' },
            outwardIssue: { key: 'ENG-3', fields: { summary: 'Ship it' } },
          },
        ],
        attachment: [{ id: '10001', filename: 'a.png', mimeType: 'image/png', size: 23 }],
      },
    },
  },
  {
    operation: 'list_transitions',
    args: { issue: 'ENG-1' },
    request: { method: 'GET', path: `${BASE}/issue/ENG-1/transitions` },
    answer: {
      body: {
        transitions: [
          { id: '31', name: 'Finish', hasScreen: false, to: { name: 'Done', statusCategory: { name: 'Done' } } },
        ],
      },
    },
    result: { items: [{ id: '31', name: 'Finish', to: { name: 'Done', statusCategory: { name: 'Done' } } }] },
  },
  {
    operation: 'create_issue',
    args: {
      project: 'ENG',
      issue_type: 'Task',
      summary: 'Write it down',
      description: 'One **line**.\nAnother.',
      assignee_id: ada.accountId,
      priority: 'Low',
      labels: ['docs'],
      parent: 'ENG-7',
      due_date: '2026-03-31',
      other_fields: { customfield_10016: 5 },
    },
    request: {
      method: 'POST',
      path: `${BASE}/issue`,
      body: {
        fields: {
          project: { key: 'ENG' },
          issuetype: { name: 'Task' },
          summary: 'Write it down',
          description: rich,
          assignee: { id: ada.accountId },
          priority: { name: 'Low' },
          labels: ['docs'],
          parent: { key: 'ENG-7' },
          duedate: '2026-03-31',
          customfield_10016: 5,
        },
      },
    },
    answer: { status: 201, body: { id: '10000', key: 'ENG-24', self: 'https://x.test' } },
    result: { id: '10000', key: 'ENG-24' },
  },
  {
    operation: 'create_issue',
    args: { project: '10000', issue_type: 'Task', summary: 'Only this' },
    request: {
      method: 'POST',
      path: `${BASE}/issue`,
      body: { fields: { project: { id: '10000' }, issuetype: { name: 'Task' }, summary: 'Only this' } },
    },
    answer: { status: 201, body: { id: '10001', key: 'ENG-25' } },
    result: { id: '10001', key: 'ENG-25' },
  },
  {
    operation: 'update_issue',
    args: { issue: 'ENG-1', priority: 'High', labels: [] },
    request: {
      method: 'PUT',
      path: `${BASE}/issue/ENG-1`,
      body: { fields: { priority: { name: 'High' }, labels: [] } },
    },
    answer: { status: 204 },
    result: 'ENG-1 was changed.',
  },
  {
    operation: 'update_issue',
    args: { issue: 'eng-1', description: null, priority: null, parent: null, due_date: null },
    request: {
      method: 'PUT',
      path: `${BASE}/issue/eng-1`,
      body: { fields: { description: null, priority: null, parent: null, duedate: null } },
    },
    answer: { status: 204 },
    result: 'eng-1 was changed.',
  },
  {
    operation: 'append_to_description',
    args: { issue: 'ENG-1', markdown: 'More' },
    request: { method: 'PUT', path: `${BASE}/issue/ENG-1`, body: { fields: { description: document('More') } } },
    answer: { body: { fields: { description: null } } },
    result: 'The text was added to ENG-1.',
  },
  {
    operation: 'list_edit_fields',
    args: { issue: 'ENG-1' },
    request: { method: 'GET', path: `${BASE}/issue/ENG-1/editmeta` },
    answer: {
      body: {
        fields: {
          customfield_10016: {
            name: 'Story points',
            required: false,
            schema: { type: 'number', custom: 'com.atlassian:float', customId: 10016 },
            operations: ['set'],
            key: 'customfield_10016',
          },
          priority: {
            name: 'Priority',
            required: true,
            allowedValues: [{ self: 'x', iconUrl: 'x', name: 'High', id: '2' }],
          },
        },
      },
    },
    result: {
      customfield_10016: {
        name: 'Story points',
        required: false,
        schema: { type: 'number', custom: 'com.atlassian:float' },
      },
      priority: { name: 'Priority', required: true, allowedValues: [{ id: '2', name: 'High' }] },
    },
  },
  {
    operation: 'assign_issue',
    args: { issue: 'ENG-1', account_id: ada.accountId },
    request: { method: 'PUT', path: `${BASE}/issue/ENG-1/assignee`, body: { accountId: ada.accountId } },
    answer: { status: 204 },
    result: 'ENG-1 was assigned.',
  },
  {
    operation: 'assign_issue',
    args: { issue: 'ENG-1', account_id: null },
    request: { method: 'PUT', path: `${BASE}/issue/ENG-1/assignee`, body: { accountId: null } },
    answer: { status: 204 },
    result: 'ENG-1 was assigned.',
  },
  {
    operation: 'transition_issue',
    args: { issue: 'ENG-1', transition_id: '31' },
    request: { method: 'POST', path: `${BASE}/issue/ENG-1/transitions`, body: { transition: { id: '31' } } },
    answer: { status: 204 },
    result: 'ENG-1 was moved.',
  },
  {
    operation: 'link_issues',
    args: { type: 'Blocks', inward_issue: 'eng-1', outward_issue: '10002' },
    request: {
      method: 'POST',
      path: `${BASE}/issueLink`,
      body: { type: { name: 'Blocks' }, inwardIssue: { key: 'ENG-1' }, outwardIssue: { id: '10002' } },
    },
    answer: { status: 201 },
    result: 'eng-1 and 10002 are linked.',
  },
  {
    operation: 'unlink_issues',
    args: { link_id: '9' },
    request: { method: 'DELETE', path: `${BASE}/issueLink/9` },
    answer: { status: 204 },
    result: 'The link was removed.',
  },
  {
    operation: 'list_comments',
    args: { issue: 'ENG-1', order: '-created', limit: 1 },
    request: {
      method: 'GET',
      path: `${BASE}/issue/ENG-1/comment`,
      query: { startAt: '0', maxResults: '1', orderBy: '-created' },
    },
    answer: {
      body: {
        startAt: 0,
        maxResults: 1,
        total: 1,
        comments: [
          {
            id: '5',
            author: ada,
            body: document('Yes.'),
            created: 'c',
            updated: 'u',
            jsdPublic: true,
          },
        ],
      },
    },
    result: {
      items: [
        {
          id: '5',
          author: { displayName: 'Ada Lovelace', accountId: ada.accountId },
          body: 'Yes.',
          created: 'c',
          updated: 'u',
        },
      ],
    },
  },
  {
    operation: 'add_comment',
    args: { issue: 'ENG-1', body: 'Done with it.' },
    request: { method: 'POST', path: `${BASE}/issue/ENG-1/comment`, body: { body: document('Done with it.') } },
    answer: { status: 201, body: { id: '6', author: ada, body: document('Done with it.'), created: 'c' } },
    result: { id: '6', author: { displayName: 'Ada Lovelace' }, created: 'c' },
  },
  {
    operation: 'update_comment',
    args: { issue: 'ENG-1', comment_id: '6', body: 'Nearly.' },
    request: { method: 'PUT', path: `${BASE}/issue/ENG-1/comment/6`, body: { body: document('Nearly.') } },
    answer: { body: { id: '6', author: ada, updated: 'u' } },
    result: { id: '6', updated: 'u' },
  },
  {
    operation: 'delete_comment',
    args: { issue: 'ENG-1', comment_id: '6' },
    request: { method: 'DELETE', path: `${BASE}/issue/ENG-1/comment/6` },
    answer: { status: 204 },
    result: 'The comment 6 was deleted.',
  },
  {
    operation: 'list_worklogs',
    args: { issue: 'ENG-1' },
    request: { method: 'GET', path: `${BASE}/issue/ENG-1/worklog`, query: { startAt: '0', maxResults: '50' } },
    answer: {
      body: {
        total: 1,
        worklogs: [
          { id: '7', author: ada, comment: document('Dug.'), started: 's', timeSpent: '1h', timeSpentSeconds: 3600 },
        ],
      },
    },
    result: {
      items: [
        {
          id: '7',
          author: { displayName: 'Ada Lovelace', accountId: ada.accountId },
          started: 's',
          timeSpent: '1h',
          timeSpentSeconds: 3600,
          comment: 'Dug.',
        },
      ],
    },
  },
  {
    operation: 'add_worklog',
    args: { issue: 'ENG-1', time_spent_seconds: 3600, started: '2026-03-31T09:00:00+02:00', comment: 'Dug.' },
    request: {
      method: 'POST',
      path: `${BASE}/issue/ENG-1/worklog`,
      body: { timeSpentSeconds: 3600, started: '2026-03-31T07:00:00.000+0000', comment: document('Dug.') },
    },
    answer: { status: 201, body: { id: '8', started: 's', timeSpent: '1h', author: ada } },
    result: { id: '8', started: 's', timeSpent: '1h' },
  },
  {
    operation: 'list_create_fields',
    args: { project: 'ENG', type_id: '3' },
    request: {
      method: 'GET',
      path: `${BASE}/issue/createmeta/ENG/issuetypes/3`,
      query: { startAt: '0', maxResults: '50' },
    },
    answer: {
      body: {
        total: 1,
        fields: [{ fieldId: 'summary', key: 'summary', name: 'Summary', required: true, schema: { type: 'string' } }],
      },
    },
    result: { items: [{ fieldId: 'summary', name: 'Summary', required: true, schema: { type: 'string' } }] },
  },
  {
    operation: 'list_link_types',
    args: {},
    request: { method: 'GET', path: `${BASE}/issueLinkType` },
    answer: {
      body: { issueLinkTypes: [{ id: '1', name: 'Blocks', inward: 'is blocked by', outward: 'blocks', self: 'x' }] },
    },
    result: { items: [{ id: '1', name: 'Blocks', inward: 'is blocked by', outward: 'blocks' }] },
  },
  {
    operation: 'download_attachment',
    args: { attachment_id: '10001', file_name: 'a.txt' },
    request: { method: 'GET', path: `${BASE}/attachment/content/10001` },
    answer: { headers: { 'content-type': 'text/plain' }, body: 'four' },
    result: {
      artifact: 'art_1',
      name: 'a.txt',
      media_type: 'text/plain',
      bytes: 4,
      url: 'http://gateway.test/artifacts/art_1',
      expires_at: '1970-01-01T00:00:00.000Z',
    },
  },
  {
    operation: 'add_attachment',
    args: { issue: 'ENG-1', file_name: 'a.txt', content: 'four' },
    request: {
      method: 'POST',
      path: `${BASE}/issue/ENG-1/attachments`,
      headers: { 'x-atlassian-token': 'no-check' },
      body: { file: { name: 'a.txt', text: 'four' } },
    },
    answer: { body: [{ id: '10002', filename: 'a.txt', size: 4, mimeType: 'text/plain', created: 'c', author: ada }] },
    result: { items: [{ id: '10002', filename: 'a.txt', size: 4, mimeType: 'text/plain', created: 'c' }] },
  },
  {
    operation: 'add_attachment',
    args: { issue: 'ENG-1', content: ARTIFACT.id },
    request: {
      method: 'POST',
      path: `${BASE}/issue/ENG-1/attachments`,
      headers: { 'x-atlassian-token': 'no-check' },
      body: { file: { name: ARTIFACT.name, text: ARTIFACT.text } },
    },
    answer: { body: [{ id: '10003', filename: 'a.txt' }] },
    result: { items: [{ id: '10003', filename: 'a.txt' }] },
  },
  {
    operation: 'delete_attachment',
    args: { attachment_id: '10002' },
    request: { method: 'DELETE', path: `${BASE}/attachment/10002` },
    answer: { status: 204 },
    result: 'The attachment 10002 was deleted.',
  },
  {
    operation: 'list_projects',
    args: { query: 'eng' },
    request: {
      method: 'GET',
      path: `${BASE}/project/search`,
      query: { query: 'eng', startAt: '0', maxResults: '50', expand: 'lead,description' },
    },
    answer: {
      body: {
        startAt: 0,
        maxResults: 50,
        total: 1,
        isLast: true,
        values: [{ id: '1', key: 'ENG', name: 'Engineering', projectTypeKey: 'software', lead: ada, style: 'classic' }],
      },
    },
    result: {
      items: [
        { id: '1', key: 'ENG', name: 'Engineering', projectTypeKey: 'software', lead: { displayName: 'Ada Lovelace' } },
      ],
    },
  },
  {
    operation: 'list_issue_types',
    args: { project: 'ENG' },
    request: {
      method: 'GET',
      path: `${BASE}/issue/createmeta/ENG/issuetypes`,
      query: { startAt: '0', maxResults: '50' },
    },
    answer: { body: { total: 1, issueTypes: [{ id: '3', name: 'Task', subtask: false, iconUrl: 'https://x.test' }] } },
    result: { items: [{ id: '3', name: 'Task', subtask: false }] },
  },
  {
    operation: 'search_users',
    args: { query: 'ada' },
    request: {
      method: 'GET',
      path: `${BASE}/user/search`,
      query: { query: 'ada', startAt: '0', maxResults: '50' },
    },
    answer: { body: [{ ...ada, accountType: 'atlassian', active: true }] },
    result: {
      items: [{ accountId: ada.accountId, accountType: 'atlassian', displayName: 'Ada Lovelace', active: true }],
    },
  },
  {
    operation: 'get_myself',
    args: {},
    request: { method: 'GET', path: `${BASE}/myself` },
    answer: { body: { ...ada, timeZone: 'Europe/London', locale: 'en_GB', groups: { size: 3 } } },
    result: { accountId: ada.accountId, displayName: 'Ada Lovelace', timeZone: 'Europe/London', locale: 'en_GB' },
  },
]

t.test('every tool of Jira has an exchange', async t => {
  const described = new Set(EXCHANGES.map(({ operation }) => operation))
  t.same(
    jira.tools.filter(({ operation }) => !described.has(operation)).map(({ operation }) => operation),
    [],
  )
})

for (const one of EXCHANGES)
  t.test(
    `jira__${one.operation} sends and returns what is documented: ${JSON.stringify(one.args).slice(0, 60)}`,
    async t => {
      const { sent, token, result, error } = await exchange(jira, SITE, one)
      const { headers, ...rest } = sent
      const { headers: wanted = {}, ...request } = one.request
      t.same(rest, request)
      t.match(headers, wanted)
      t.equal(token, 'own')
      t.equal(error, undefined)
      t.same(given(result), one.result)
    },
  )

t.test('a search continues with Jira’s cursor, and ends without one', async t => {
  const search = { operation: 'search_issues', args: { jql: 'project = ENG' } }
  const first = await exchange(jira, SITE, { ...search, answer: { body: { issues: [], nextPageToken: 'abc' } } })
  const { next_cursor: cursor } = given(first.result) as { next_cursor: string }
  t.type(cursor, 'string')
  const second = await exchange(jira, SITE, {
    operation: 'search_issues',
    args: { jql: 'project = ENG', cursor },
    answer: { body: { issues: [], isLast: true } },
  })
  t.match(second.sent.body, { nextPageToken: 'abc' })
  t.equal((given(second.result) as { next_cursor?: string }).next_cursor, undefined)
})

t.test('a list continues after its last item up to the total', async t => {
  const answer = { body: { total: 3, comments: [{ id: '1' }, { id: '2' }] } }
  const list = { operation: 'list_comments', args: { issue: 'ENG-1', limit: 2 } }
  const first = await exchange(jira, SITE, { ...list, answer })
  const { next_cursor: cursor } = given(first.result) as { next_cursor: string }
  const second = await exchange(jira, SITE, {
    operation: 'list_comments',
    args: { issue: 'ENG-1', limit: 2, cursor },
    answer: { body: { total: 3, comments: [{ id: '3' }] } },
  })
  t.match(second.sent.query, { startAt: '2', maxResults: '2' })
  t.same(given(second.result), { items: [{ id: '3' }] })
})

t.test('Jira’s errors become sentences', async t => {
  const refuse = (status: number, body: unknown) =>
    exchange(jira, SITE, { operation: 'get_issue', args: { issue: 'ENG-1' }, answer: { status, body } })

  const field = await refuse(400, { errorMessages: [], errors: { summary: 'is required' } })
  t.match(field.error, { code: 'upstream_rejected', message: /summary: is required/ })
  const gone = await refuse(404, { errorMessages: ['Issue does not exist or you do not have permission to see it.'] })
  t.match(gone.error, { code: 'upstream_rejected', message: /Issue does not exist/ })
  const scope = await refuse(401, { code: 401, message: 'Unauthorized; scope does not match' })
  t.match(scope.error, { code: 'scope_missing', message: /read:jira-work|grant/ })
})

/** A description that Markdown cannot hold. */
const described = {
  ...document('Steps'),
  content: [
    ...document('Steps').content,
    { type: 'panel', attrs: { panelType: 'warning' }, content: document('Careful').content },
    { type: 'paragraph', content: [{ type: 'mention', attrs: { id: ada.accountId, text: '@Ada' } }] },
  ],
}

t.test('what Markdown lacks of a description is said, kept by an append, and replaced only on demand', async t => {
  const send = (operation: string, args: object, body: unknown) =>
    exchange(jira, SITE, { operation, args: { issue: 'ENG-1', ...args }, answer: { body } })
  const body = { id: '1', key: 'ENG-1', fields: { description: described } }
  t.match(given((await send('get_issue', {}, body)).result), {
    fields: { description: 'Steps\n\n> Careful\n\n@Ada' },
    warning: 'Missing in the Markdown: mentions and panels. Replacing the text with this Markdown would remove them.',
  })
  const plain = { ...body, fields: { description: document('Steps') } }
  t.notOk('warning' in (given((await send('get_issue', {}, plain)).result) as object))

  const refused = await send('update_issue', { description: 'New' }, body)
  t.equal(refused.sent.method, 'GET', 'nothing is written')
  t.match(refused.error, {
    code: 'invalid_request',
    message: /has mentions and panels.*append_to_description.*replace_all: true/,
  })
  const replaced = await send('update_issue', { description: 'New', replace_all: true }, body)
  t.same([replaced.sent.method, replaced.sent.body], ['PUT', { fields: { description: document('New') } }])
  const unspecial = await send('update_issue', { description: 'New' }, plain)
  t.same([unspecial.error, unspecial.sent.method], [undefined, 'PUT'])
  t.equal((await send('update_issue', { summary: 'New' }, body)).sent.method, 'PUT', 'other fields replace no text')

  const appended = await send('append_to_description', { markdown: 'More' }, body)
  t.same([appended.sent.method, appended.sent.path], ['PUT', `${BASE}/issue/ENG-1`])
  t.same(appended.sent.body, {
    fields: { description: { ...described, content: [...described.content, ...document('More').content] } },
  })
  const first = await send('append_to_description', { markdown: 'More' }, { fields: { description: null } })
  t.same(first.sent.body, { fields: { description: document('More') } })

  const comment = await send('update_comment', { comment_id: '7', text: 'x', body: 'x' }, { id: '7', body: described })
  t.match(comment.error, { message: /mentions and panels.*add_comment/ })
})
