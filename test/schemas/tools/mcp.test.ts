import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import t from 'tap'
import { isRpcMessage } from '../../../schemas/tools/mcp.ts'
import fc from '../../fixtures/property.ts'

const scalar = fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.constant({}))
const meta = fc.record(
  {
    progressToken: scalar,
    'io.modelcontextprotocol/related-task': fc.oneof(scalar, fc.record({ taskId: scalar })),
    other: scalar,
  },
  { requiredKeys: [] },
)
const record = fc.oneof(scalar, fc.constant([]), fc.record({ _meta: fc.oneof(meta, scalar) }, { requiredKeys: [] }))
const error = fc.record({ code: fc.oneof(fc.integer(), scalar), message: fc.oneof(fc.string(), scalar), data: scalar })
/** Messages and near messages: every member valid, invalid or absent. */
const nearlyMessages = fc.oneof(
  scalar,
  fc.record(
    {
      jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, scalar),
      id: fc.oneof(fc.maxSafeInteger(), fc.string(), scalar),
      method: fc.oneof(fc.string(), scalar),
      params: record,
      result: record,
      error: fc.oneof(error, scalar),
      extra: scalar,
    },
    { requiredKeys: ['jsonrpc'] },
  ),
  fc.record({ jsonrpc: fc.constant('2.0'), id: fc.nat(), method: fc.string(), params: record }),
  fc.record({ jsonrpc: fc.constant('2.0'), id: fc.nat(), result: record }),
  fc.record({ jsonrpc: fc.constant('2.0'), error }),
)

t.test('the schema accepts exactly the messages that the SDK accepts', async t => {
  fc.assert(
    fc.property(nearlyMessages, value => {
      const parsed = JSON.parse(JSON.stringify(value))
      return isRpcMessage(parsed) === JSONRPCMessageSchema.safeParse(parsed).success
    }),
    { numRuns: 5000 },
  )
  t.pass()
})
