import t from 'tap'
import type { RpcMessage } from '../../../schemas/tools/mcp.ts'
import type { Headers } from '../../../services/mcp/headers.ts'
import { protocolGenerationOf } from '../../../services/mcp/protocol.ts'
import { request, VERSION } from '../../fixtures/mcp-fixture.ts'

t.test('the protocol generation of a message', async t => {
  const plain = request('tools/list')
  const claiming = (version: unknown) => request('tools/list', { _meta: { [VERSION]: version } })
  const cases: Array<[name: string, headers: Headers, message: RpcMessage, generation: string]> = [
    ['nothing said', {}, plain, 'legacy'],
    ['a header of the handshake', { 'mcp-protocol-version': '2025-11-25' }, plain, 'legacy'],
    ['a header of 2026-07-28', { 'mcp-protocol-version': '2026-07-28' }, plain, 'modern'],
    ['a header of a later revision', { 'mcp-protocol-version': '2027-01-01' }, plain, 'modern'],
    ['a header that is no date', { 'mcp-protocol-version': 'v999' }, plain, 'legacy'],
    ['_meta of 2026-07-28', {}, claiming('2026-07-28'), 'modern'],
    ['_meta of an older revision', {}, claiming('2025-11-25'), 'modern'],
    ['_meta of no string', {}, claiming(7), 'modern'],
    ['_meta without the field', {}, request('tools/list', { _meta: { progressToken: 1 } }), 'legacy'],
    ['a posted response', { 'mcp-protocol-version': '2026-07-28' }, { jsonrpc: '2.0', id: 1, result: {} }, 'modern'],
  ]
  for (const [name, headers, message, generation] of cases)
    t.equal(protocolGenerationOf(headers, message), generation, name)
})
