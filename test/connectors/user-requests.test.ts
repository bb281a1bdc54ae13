import t from 'tap'
import { CONNECTORS } from '../../tools/connectors/catalog.ts'
import { gapsOf, parseUserRequests, readUserRequests, type UserRequest } from './user-requests.ts'

const requests = readUserRequests()

t.test('models can answer what people ask: tools exist, arguments have sources, descriptions lead to them', async t => {
  t.ok(requests.length >= 100, `${requests.length} requests`)
  t.same(
    requests.flatMap(one => gapsOf(one, CONNECTORS)),
    [],
  )
})

t.test('people ask for something of every connector, and with several connectors at once', async t => {
  const used = requests.map(({ steps }) => new Set(steps.map(({ name }) => name.split('__')[0] ?? '')))
  const seen = new Set(used.flatMap(ids => [...ids]))
  const unasked = CONNECTORS.map(({ id }) => id).filter(id => !seen.has(id))
  t.same(unasked, [], 'add requests to user-requests/ for a new connector')
  t.ok(used.filter(({ size }) => size > 1).length >= 5)
})

/** The connectors, with one tool changed. */
function changed(id: string, operation: string, change: object) {
  return CONNECTORS.map(connector => ({
    ...connector,
    tools: connector.tools.map(tool =>
      connector.id === id && tool.operation === operation ? { ...tool, ...change } : tool,
    ),
  }))
}

t.test('a change that takes something from a model is a gap', async t => {
  const transition = parseUserRequests(`Move ENG-1 to done
  jira__list_transitions issue="ENG-1"
  jira__transition_issue issue="ENG-1" transition_id=1.id`)
  const [first] = transition as [UserRequest]
  t.same(gapsOf(first, CONNECTORS), [])

  const unkept = changed('jira', 'list_transitions', {
    result: { kind: 'pick', pointer: '/transitions', fields: ['name'] },
  })
  t.match(gapsOf(first, unkept), ['Move ENG-1 to done: jira__list_transitions does not return id'])
  const renamed = changed('jira', 'list_transitions', { operation: 'list_steps' })
  t.match(gapsOf(first, renamed), [/there is no tool jira__list_transitions/])
  const { input } =
    CONNECTORS.flatMap(({ tools }) => tools).find(({ operation }) => operation === 'transition_issue') ?? {}
  const mute = { ...input, properties: { ...input?.properties, transition_id: { type: 'string' } } }
  const silent = changed('jira', 'transition_issue', { input: mute, description: 'Move an issue.' }).map(connector => ({
    ...connector,
    tools: connector.tools.map(tool =>
      tool.operation === 'list_transitions' ? { ...tool, description: 'List.' } : tool,
    ),
  }))
  t.match(gapsOf(first, silent), [/neither jira__transition_issue \(transition_id\) nor jira__list_transitions names/])
})

t.test('a request that is not answered is a gap', async t => {
  const gaps = (calls: string) =>
    parseUserRequests(`Close issue 4 of octo/web\n${calls}`).flatMap(one => gapsOf(one, CONNECTORS))
  const close = '  gitlab__update_issue project="octo/web" issue="4"'
  t.same(gaps(`${close} state_event='close'`), [])
  t.match(gaps(close), [/update_issue changes nothing/])
  t.match(gaps(`${close} state_event='closed'`), [/rejects state_event=closed/])
  t.match(gaps(`${close} state='close'`), [/changes nothing/, /has no argument state/])
  t.match(gaps(`  gitlab__update_issue project="octo/api" state_event='close'`), [/lacks issue/, /nobody says/])
  t.match(gaps(`  gitlab__get_issue project="octo/web" issue=2.iid`), [/comes from call 2, which is not before it/])
  t.throws(() => gaps('  gitlab__get_issue project=octo'), /Not a call/)
})
