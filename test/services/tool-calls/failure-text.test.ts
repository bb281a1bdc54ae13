import t from 'tap'
import { failureText } from '../../../services/tool-calls/call.ts'
import fc from '../../fixtures/property.ts'

const SCHEMA = { type: 'object', properties: { number: { type: 'integer' }, owner: { type: 'string' } } }

t.test('the message of a failed call has … in place of the values of its arguments', async t => {
  t.equal(
    failureText('`owner` must match ^[a-z]+$; got "Not Valid".', { owner: ' not valid ', limit: 30 }, SCHEMA),
    '`owner` must match ^[a-z]+$; got "…".',
  )
  t.equal(
    failureText('Issue 4711 of octo/app: no such label "a\\"b".', { number: 4711, labels: ['a"b'] }, SCHEMA),
    'Issue … of octo/app: no such label "…".',
  )
  t.equal(
    failureText('`onwer` is unknown. Did you mean `owner`?', { onwer: 1 }, SCHEMA),
    '`…` is unknown. Did you mean `owner`?',
  )
  t.equal(failureText('Not found.', { q: 'no' }, SCHEMA), 'Not found.', 'short values are parts of ordinary words')
  t.equal(failureText('Send an object.', 'not an object', SCHEMA), 'Send an object.')
})

t.test(
  'a long value takes the rest of the message with it, because the message may quote only its beginning',
  async t => {
    const body = `Dear Ada, ${'the report is late. '.repeat(50)}`
    t.equal(failureText(`Too long: ${body.slice(0, 100)}`, { nested: { body } }, SCHEMA), 'Too long: …')
  },
)

t.test('a call with very many values has no message', async t => {
  t.equal(failureText('No.', { ids: Array.from({ length: 300 }, (_, n) => `id-${n}`) }, SCHEMA), undefined)
})

t.test('no message contains a value of the arguments', async t => {
  fc.assert(
    fc.property(
      fc.object({ values: [fc.string({ minLength: 3, maxLength: 80 }), fc.nat()], maxDepth: 2 }),
      fc.string(),
      (args, text) => {
        const values = Object.values(args).filter(value => typeof value === 'string' && value.trim().length >= 3)
        const said = failureText(`${text} "${values.join('", "')}"`, args, SCHEMA) ?? ''
        for (const value of values) t.notOk(said.toLowerCase().includes(String(value).trim().toLowerCase()), said)
      },
    ),
  )
})
