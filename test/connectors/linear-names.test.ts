import { json } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { linear } from '../../tools/connectors/linear/connector.ts'
import { failureOf } from '../services/connectors/connector-engine-fixture.ts'
import { callsTo } from './calls.ts'

const id = (digit: string) => `${digit.repeat(8)}-1111-4111-8111-111111111111`
const TEAM = id('a')
const STATE = id('b')
const ADA = id('c')
const BUG = id('d')
const WEB = id('e')

type Variables = Record<string, unknown>

/** One team, state, person and two labels on loopback, with the issue and the document that were written. */
async function linearDouble(t: Test) {
  const sent: [operation: string, variables: Variables][] = []
  const issue: Variables = {}
  const document: Variables = {}
  const found = (is: boolean, id: string) => ({ nodes: is ? [{ id }] : [] })
  const labels: Record<string, string> = { bug: BUG, web: WEB }
  function answerTo(operation: string, variables: Variables): unknown {
    const input = variables.input as Variables
    const label = String(variables.label)
    switch (operation) {
      case 'FindTeam':
        return { teams: found(variables.key === 'ENG', TEAM) }
      case 'FindIssue':
        return { issue: variables.issue === 'ENG-1' ? { team: { id: TEAM } } : null }
      case 'FindState':
        return { workflowStates: found(variables.team === TEAM && variables.state === 'In Review', STATE) }
      case 'FindPerson':
        return { users: found(variables.person === 'ada@example.com', ADA) }
      case 'FindLabel':
        return { issueLabels: found(variables.team === TEAM && label in labels, labels[label] ?? '') }
      case 'FindOwnLabel':
        return {
          issue: { labels: found((issue.labelIds as string[]).includes(labels[label] ?? ''), labels[label] ?? '') },
        }
      case 'CreateIssue':
        return { issueCreate: { success: true, issue: Object.assign(issue, input) } }
      case 'AddLabels':
      case 'UpdateIssue': {
        const { addedLabelIds = [], removedLabelIds = [], ...changes } = input as Record<string, string[]>
        const kept = (issue.labelIds as string[]).filter(id => !removedLabelIds.includes(id))
        Object.assign(issue, changes, { labelIds: [...kept, ...addedLabelIds] })
        return { issueUpdate: { success: true, issue } }
      }
      case 'CreateDocument':
        return { documentCreate: { success: true, document: Object.assign(document, input, { id: WEB }) } }
      case 'UpdateDocument':
        return { documentUpdate: { success: true, document: Object.assign(document, input) } }
      case 'GetDocument':
        return { document }
      default:
        throw new TypeError(`The double has no ${operation}`)
    }
  }
  const { data } = await callsTo(t, linear, async (request, response) => {
    const { query, variables } = (await json(request)) as { query: string; variables: Variables }
    const operation = /^\w+ (\w+)/.exec(query)?.[1] ?? ''
    sent.push([operation, variables])
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ data: answerTo(operation, variables) }))
  })
  const call = (operation: string, args: Variables) => {
    sent.length = 0
    return data(operation, args)
  }
  return { sent, issue, call }
}

t.test('an issue is created by the names of team, state, person and labels', async t => {
  const { sent, issue, call } = await linearDouble(t)
  const names = { team: 'ENG', state: 'In Review', assignee: 'ada@example.com', labels: ['bug', 'web'] }
  await call('create_issue', { ...names, title: 'Crash' })
  t.same(issue, { teamId: TEAM, title: 'Crash', assigneeId: ADA, stateId: STATE, labelIds: [BUG, WEB] })
  await call('create_issue', { team_id: TEAM, state_id: STATE, title: 'Other', label_ids: [BUG] })
  t.same(
    sent,
    [['CreateIssue', { input: { teamId: TEAM, title: 'Other', stateId: STATE, labelIds: [BUG] } }]],
    'IDs need no look-up',
  )
  t.match(await failureOf(call('create_issue', { title: 'x' })), {
    code: 'invalid_request',
    message: /team or team_id/,
  })
})

t.test('an update looks up only what it changes, and null removes the assignee and the due date', async t => {
  const { sent, issue, call } = await linearDouble(t)
  await call('create_issue', {
    team: 'ENG',
    title: 'Crash',
    assignee: 'ada@example.com',
    labels: ['bug'],
    due_date: '2026-03-31',
  })
  await call('update_issue', { issue: 'ENG-1', assignee_id: null, due_date: null })
  t.same(sent, [['UpdateIssue', { id: 'ENG-1', input: { assigneeId: null, dueDate: null } }]])
  await call('update_issue', { issue: 'ENG-1', state: 'In Review', add_labels: ['web'], remove_labels: ['bug'] })
  t.same(
    sent.map(([operation]) => operation),
    ['FindIssue', 'FindState', 'FindLabel', 'FindOwnLabel', 'UpdateIssue'],
  )
  t.match(issue, { assigneeId: null, dueDate: null, stateId: STATE, labelIds: [WEB] })
  await call('add_labels', { issue: 'ENG-1', labels: ['bug'] })
  t.same(issue.labelIds, [WEB, BUG])
  t.match(await failureOf(call('update_issue', { issue: 'ENG-1' })), {
    code: 'invalid_request',
    message: /Nothing would change/,
  })
})

t.test('a name that does not exist changes nothing, and the error names what was looked up', async t => {
  const { sent, call } = await linearDouble(t)
  const failure = await failureOf(call('update_issue', { issue: 'ENG-1', state: 'Nowhere', title: 'x' }))
  t.match(failure, { code: 'upstream_rejected', message: /step 2 of 3 \(find_state\)/, unsettled: false })
  t.same(
    sent.map(([operation]) => operation),
    ['FindIssue', 'FindState'],
  )
})

t.test('a document that is written and changed is read back', async t => {
  const { call } = await linearDouble(t)
  await call('create_document', { project_id: TEAM, title: 'Plan', content: '# One' })
  await call('update_document', { document_id: WEB, content: '# Two' })
  t.match(await call('get_document', { document_id: WEB }), { title: 'Plan', content: '# Two' })
})
