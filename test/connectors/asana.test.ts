import { json } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { asana } from '../../tools/connectors/asana/connector.ts'
import { failureOf } from '../services/connectors/connector-engine-fixture.ts'
import { callsTo } from './calls.ts'
import { ARTIFACT, exchange, given } from './exchange.ts'

// https://developers.asana.com/reference/createattachmentforobject, read on 2026-11-25.
t.test('a file and a link are attached as forms with their parent', async t => {
  const answer = { body: { data: { gid: '9', name: 'notes.md', resource_subtype: 'asana', host: 'asana', size: 13 } } }
  const file = { operation: 'upload_attachment', args: { parent: '7', content: ARTIFACT.id }, answer }
  const uploaded = await exchange(asana, {}, file)
  t.match(uploaded.sent, {
    method: 'POST',
    path: '/api/1.0/attachments',
    query: { opt_fields: 'name,resource_subtype,host,size,created_at' },
    body: { parent: '7', file: { name: ARTIFACT.name, text: ARTIFACT.text } },
  })
  t.same(given(uploaded.result), answer.body.data)

  const link = { operation: 'attach_link', args: { parent: '7', url: 'https://x.test', name: 'Plan' }, answer }
  const { sent } = await exchange(asana, {}, link)
  t.same(sent.body, { resource_subtype: 'external', parent: '7', url: 'https://x.test', name: 'Plan' })
})

// https://developers.asana.com/docs/errors, read on 2026-11-25.
t.test('an error has the message of Asana', async t => {
  const answer = { status: 400, body: { errors: [{ message: 'workspace: Missing input', help: 'For more, see …' }] } }
  const { error } = await exchange(asana, {}, { operation: 'list_assigned_tasks', args: { workspace: '1' }, answer })
  t.match(error, { code: 'upstream_rejected', message: /workspace: Missing input/ })
})

type Fields = Record<string, unknown>

/** Tasks with their comments and dependencies. Like Asana, it answers only the fields that a request asks for. */
class AsanaDouble {
  readonly objects = new Map<string, Fields>()
  readonly comments: Fields[] = []
  readonly dependencies: string[] = []

  answer(request: string, data: Fields): unknown {
    const [method, kind, gid = '', sub] = request.split(/[ /]+/)
    switch (`${method} ${kind}${sub === undefined ? '' : `/${sub}`}`) {
      case 'POST tasks':
        return this.#add({ completed: false, ...data })
      case 'POST tasks/subtasks':
        return this.#add({ completed: false, parent: { gid }, ...data })
      case 'PUT tasks':
        return Object.assign(this.objects.get(gid) ?? {}, data)
      case 'GET tasks':
        return this.objects.get(gid)
      case 'GET tasks/subtasks':
        return [...this.objects.values()].filter(({ parent }) => (parent as Fields | undefined)?.gid === gid)
      case 'POST tasks/stories':
        this.comments.push({ gid: `${this.comments.length + 100}`, type: 'comment', ...data })
        return this.comments.at(-1)
      case 'PUT stories':
        return Object.assign(this.comments.find(comment => comment.gid === gid) ?? {}, data)
      case 'GET stories':
        return this.comments.find(comment => comment.gid === gid)
      case 'GET tasks/stories':
        return this.comments
      case 'POST tasks/addDependencies':
        this.dependencies.push(...(data.dependencies as string[]))
        return {}
      case 'GET tasks/dependencies':
        return this.dependencies.map(gid => this.objects.get(gid))
      default:
        return undefined
    }
  }

  #add(fields: Fields): Fields {
    const object = { gid: `${this.objects.size + 1}`, ...fields }
    this.objects.set(object.gid, object)
    return object
  }
}

/** Keeps the fields that a request asks for. Rich text is answered as text too. */
function selected(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map(item => selected(item, fields))
  const object = value as Fields
  const whole: Fields = { ...object, notes: plain(object.html_notes), text: plain(object.html_text) }
  const names = new Set(['gid', ...fields.map(field => field.split('.')[0] ?? '')])
  return Object.fromEntries([...names].filter(name => whole[name] !== undefined).map(name => [name, whole[name]]))
}

function plain(html: unknown): string | undefined {
  return typeof html === 'string' ? html.replace(/<[^>]+>/g, '') : undefined
}

/** Returns the data of calls of Asana's tools to a double. */
async function asanaDouble(t: Test) {
  const double = new AsanaDouble()
  const calls = await callsTo(t, asana, async (request, response) => {
    const { method = '', url = '' } = request
    const { pathname, searchParams } = new URL(url, 'http://asana.test')
    const body = request.headers['content-type'] === undefined ? {} : ((await json(request)) as { data: Fields })
    const found = double.answer(`${method} ${pathname}`, (body as { data?: Fields }).data ?? {})
    const fields = (searchParams.get('opt_fields') ?? '').split(',')
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ data: found && selected(found, fields), next_page: null }))
  })
  return { double, ...calls }
}

t.test('a task is read as it was written, changed and completed', async t => {
  const { data } = await asanaDouble(t)
  const { gid } = await data('create_task', {
    project: '5',
    name: 'Badges',
    notes: '**120** & more',
    due_on: '2026-12-01',
    custom_fields: { 44: 'x' },
  })
  t.match(await data('get_task', { task: gid }), {
    name: 'Badges',
    notes: '120 &amp; more',
    due_on: '2026-12-01',
    completed: false,
  })
  await data('update_task', { task: gid, due_on: null, notes: '' })
  const cleared = await data('get_task', { task: gid })
  t.match(cleared, { name: 'Badges', notes: '' })
  t.notOk('due_on' in cleared)
  t.match(await data('complete_task', { task: gid }), { gid, completed: true })
})

t.test('subtasks, dependencies and edited comments are read back', async t => {
  const { double, call, data } = await asanaDouble(t)
  const { gid: task } = await data('create_task', { workspace: '1', name: 'Catering' })
  const { gid: drinks } = await data('create_subtask', { task, name: 'Drinks' })
  t.match(await data('list_subtasks', { task }), { items: [{ gid: drinks, name: 'Drinks' }] })
  await call('add_dependencies', { task, tasks: [drinks] })
  t.match(await data('list_dependencies', { task }), { items: [{ gid: drinks, name: 'Drinks', completed: false }] })

  const { gid: comment } = await data('add_comment', { task, text: 'Done by [Ada](asana:12)?' })
  t.equal(double.comments[0]?.html_text, '<body>Done by <a data-asana-gid="12"/>?</body>')
  t.match(await failureOf(call('update_comment', { comment, text: 'Done.' })), {
    message: /has mentions, which Markdown cannot hold.*replace_all: true/,
  })
  await call('update_comment', { comment, text: 'Done.', replace_all: true })
  t.match(await data('list_comments', { task }), { items: [{ gid: comment, type: 'comment', text: 'Done.' }] })
})

t.test('a task without a place, and an update without a change, are rejected before they are sent', async t => {
  const { double, call } = await asanaDouble(t)
  const lacking = { code: 'invalid_request', message: 'An argument is missing. Give at least one of these arguments: ' }
  t.match(await failureOf(call('create_task', { name: 'x' })), lacking)
  const calls = { update_task: { task: '1' }, set_parent: { task: '1' } }
  for (const [operation, args] of Object.entries(calls))
    t.match(await failureOf(call(operation, args)), { code: 'invalid_request', message: /Nothing would change/ })
  t.equal(double.objects.size, 0)
})
