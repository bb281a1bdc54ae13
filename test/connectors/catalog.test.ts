import t from 'tap'
import { createIcons } from '../../services/connectors/icons.ts'
import { CONNECTORS } from '../../tools/connectors/catalog.ts'
import { checkCoverage } from './contract.ts'
import { skipped } from './vendor-documents.ts'

t.test('every connector has a unique ID, an icon, and tools with names that clients accept', async t => {
  t.equal(new Set(CONNECTORS.map(({ id }) => id)).size, CONNECTORS.length)
  const icons = createIcons(CONNECTORS)
  for (const { id, tools } of CONNECTORS) {
    t.match(icons.urlPath(id), /^\/icons\/[0-9a-f]{64}\.svg$/)
    t.not(tools.length, 0, id)
    for (const { operation } of tools) t.match(`${id}__${operation}`, /^[A-Za-z0-9_-]{1,64}$/)
  }
})

t.test('the first connectors have at least six tools each', async t => {
  for (const id of ['github', 'jira', 'linear', 'resend', 'slack', 'stripe', 'trello']) {
    const { length } = CONNECTORS.find(connector => connector.id === id)?.tools ?? []
    t.ok(length >= 6, `${id} has ${length} tools`)
  }
})

t.test('every tool has a description, and annotations that distinguish deletions from reads', async t => {
  for (const { id, tools } of CONNECTORS)
    for (const { operation, annotations, request, description, title } of tools) {
      t.ok(
        title.length > 2 && description.length > 8 && /[.!]$/.test(description),
        `${id}__${operation} has a description`,
      )
      t.notMatch(description, /^\w*s\b/, `${id}__${operation} begins with an imperative`)
      t.equal(annotations.readOnlyHint && annotations.destructiveHint, false, `${id}__${operation}`)
      if (request.method === 'DELETE') t.ok(annotations.destructiveHint, `${id}__${operation} deletes`)
    }
})

t.test(
  "the number of tools that are checked against their provider's own description does not fall",
  { skip: skipped },
  async t => checkCoverage(t),
)
