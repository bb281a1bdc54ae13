import t from 'tap'
import { createRedactor } from '../../../lib/redaction/redactor.ts'
import { withRedaction } from '../../../services/remote-connectors/upstream/redact.ts'
import { UpstreamError } from '../../../services/remote-connectors/upstream/upstream.ts'

t.test('a redacted exchange keeps a deep answer as it is, and redacts an error', async t => {
  const redact = createRedactor({ sent: ['a-secret-of-an-account'] })
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const list = JSON.parse(`${open.repeat(5_000)}"x"${close.repeat(5_000)}`) as unknown
    t.equal(
      await withRedaction(
        () => redact,
        async () => list,
      ),
      list,
    )
  }
  const error = new UpstreamError('rpc', 'said a-secret-of-an-account')
  await t.rejects(
    withRedaction(
      () => redact,
      () => Promise.reject(error),
    ),
    { message: 'said [redacted]' },
  )
})
