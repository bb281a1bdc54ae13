import { json } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { trello } from '../../tools/connectors/trello/connector.ts'
import { failureOf } from '../services/connectors/connector-engine-fixture.ts'
import { callsTo } from './calls.ts'

const BOARD = 'b'.repeat(24)
const CARD = 'c'.repeat(24)
const LIST = 'd'.repeat(24)

type Fields = Record<string, unknown>

/** Trello's labels, lists, comments and one card on loopback, which keep what is written. */
class TrelloDouble {
  readonly card: Fields = { id: CARD, name: 'Invoice', due: '2026-03-31T09:00:00.000Z' }
  readonly list: Fields = { id: LIST, idBoard: BOARD, name: 'Doing', closed: false }
  readonly labels: Fields[] = []
  readonly onCard = new Set<string>()
  readonly comments: { id: string; data: Fields }[] = []
  #ids = 0

  answer(request: string, query: URLSearchParams, body: Fields): unknown {
    const [method, kind, , sub, item] = request.split(/[ /]+/)
    switch (`${method} ${kind}${sub === undefined ? '' : `/${sub}`}`) {
      case 'POST labels':
        return add(this.labels, { id: this.#id(), ...body })
      case 'PUT labels':
        return Object.assign(found(this.labels, request.split('/')[2]), body)
      case 'GET boards/labels':
        return this.labels
      case 'POST cards/idLabels':
        this.onCard.add(`${body.value}`)
        return [...this.onCard]
      case 'DELETE cards/idLabels':
        this.onCard.delete(`${item}`)
        return {}
      case 'GET cards':
        return { ...this.card, labels: this.labels.filter(({ id }) => this.onCard.has(`${id}`)) }
      case 'PUT cards':
        return Object.assign(this.card, body)
      case 'PUT lists':
        return Object.assign(this.list, body)
      case 'GET boards/lists':
        return [this.list].filter(({ closed }) => closed === (query.get('filter') === 'closed'))
      case 'GET cards/actions':
        return this.comments
      case 'POST cards/actions':
        return add(this.comments, { id: this.#id(), data: body })
      case 'PUT cards/actions':
        return Object.assign(found(this.comments, item), { data: body })
      default:
        return undefined
    }
  }

  #id(): string {
    this.#ids += 1
    return `${this.#ids}`.padStart(24, '0')
  }
}

function add<Item>(items: Item[], item: Item): Item {
  items.unshift(item)
  return item
}

function found<Item extends Fields>(items: readonly Item[], id: string | undefined): Item {
  const item = items.find(item => item.id === id)
  if (item === undefined) throw new TypeError(`The double has no ${id}`)
  return item
}

/** Calls of Trello's tools to a double. `data` gives a result's data, `call` the whole result. */
async function trelloDouble(t: Test) {
  const double = new TrelloDouble()
  const requests: string[] = []
  const calls = await callsTo(t, trello, async (request, response) => {
    const { method = '', url = '' } = request
    const { pathname, searchParams } = new URL(url, 'http://trello.test')
    requests.push(`${method} ${pathname}`)
    const body = request.headers['content-type'] === undefined ? {} : ((await json(request)) as Fields)
    const answer = double.answer(`${method} ${pathname}`, searchParams, body)
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? {}))
  })
  return { requests, ...calls }
}

t.test('a label that is created and changed is on the card until it is taken off', async t => {
  const { call, data } = await trelloDouble(t)
  const { id } = await data('create_label', { board: BOARD, name: 'Urgent', color: 'red' })
  await data('update_label', { label: id, name: 'Later', color: null })
  t.match(await data('list_labels', { board: BOARD }), { items: [{ id, name: 'Later', color: null }] })
  await call('add_label', { card: CARD, label: id })
  t.match(await data('get_card', { card: CARD }), { labels: [{ name: 'Later' }] })
  await call('remove_label', { card: CARD, label: id })
  t.same((await data('get_card', { card: CARD })).labels, [])
})

t.test('an archived list is among the closed ones until it is restored', async t => {
  const { data } = await trelloDouble(t)
  await data('update_list', { list: LIST, archived: true, name: 'Done' })
  t.match(await data('list_lists', { board: BOARD, filter: 'closed' }), { items: [{ id: LIST, name: 'Done' }] })
  t.same((await data('list_lists', { board: BOARD })).items, [])
  await data('update_list', { list: LIST, archived: false })
  t.match(await data('list_lists', { board: BOARD }), { items: [{ id: LIST, closed: false }] })
})

t.test('an edited comment is read with its new text', async t => {
  const { data } = await trelloDouble(t)
  const { id } = await data('add_comment', { card: CARD, text: 'Draft' })
  await data('edit_comment', { card: CARD, comment: id, text: 'Final' })
  t.match(await data('list_comments', { card: CARD }), { items: [{ id, data: { text: 'Final' } }] })
})

t.test('null clears a due date, and an omitted one stays', async t => {
  const { data } = await trelloDouble(t)
  await data('update_card', { card: CARD, name: 'Bill' })
  t.match(await data('get_card', { card: CARD }), { name: 'Bill', due: '2026-03-31T09:00:00.000Z' })
  await data('update_card', { card: CARD, due: null })
  t.equal((await data('get_card', { card: CARD })).due ?? null, null)
})

t.test('an update without a change is rejected before it is sent', async t => {
  const { requests, call } = await trelloDouble(t)
  const updates = { update_card: { card: CARD }, update_list: { list: LIST }, update_label: { label: BOARD } }
  for (const [operation, args] of Object.entries(updates))
    t.match(
      await failureOf(call(operation, args)),
      { code: 'invalid_request', message: /Nothing would change/ },
      operation,
    )
  t.same(requests, [])
})
