import t from 'tap'
import type { Identity } from '../../../services/identity/identity.ts'
import { createClientNames } from '../../../services/mcp/client-names.ts'
import { CLIENT_INFO_KEY } from '../../../services/mcp/protocol.ts'
import { session } from '../../fixtures/fixture.ts'

const identity: Identity = session()
const editor = { identity, userAgent: 'editor/1' }
const meta = (clientInfo: unknown) => ({ [CLIENT_INFO_KEY]: clientInfo })

t.test('a call has the name of its own clientInfo, else that of the last initialize of the same sender', async t => {
  const names = createClientNames()
  t.equal(names.of(editor, undefined), undefined)
  names.introduce(editor, { name: 'claude-code', version: '2' })
  t.equal(names.of(editor, undefined), 'claude-code')
  t.equal(names.of(editor, meta({ name: 'other', title: 'Another client' })), 'Another client', 'the title comes first')
  t.equal(names.of({ ...editor, userAgent: 'other/1' }, undefined), undefined, 'another client with the credential')
  t.equal(names.of({ ...editor, identity: session({ userId: 'usr_other' }) }, undefined), undefined)
})

t.test('a name is a short line without hidden characters, and other values are no names', async t => {
  const names = createClientNames()
  for (const clientInfo of [undefined, null, 'name', [], {}, { name: 7 }, { name: '' }, { name: '\u202E' }]) {
    names.introduce(editor, clientInfo)
    t.equal(names.of(editor, undefined), undefined)
    t.equal(names.of(editor, meta(clientInfo ?? null)), undefined)
  }
  const name = names.of(editor, meta({ name: `a\nb\u202E${'x'.repeat(5_000)}` })) ?? ''
  t.ok(name.length <= 80)
  t.notMatch(name, /[\n\u202E]/)
})
