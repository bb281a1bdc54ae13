import { appendFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { type MeteredProvider, meteredTools } from '../fixtures/metered-tools.ts'
import { costOfKey, ESTIMATE } from './metered-costs.ts'
import { serveFamily } from './serve-family.ts'

const { EXECUTIONS = '', WORK_MS = '20', FAILING = '0.1', ...environment } = process.env

// Writes a line per execution before the work, so that executions of a killed process count too.
let executions = 0
const provider: MeteredProvider = {
  async work(name, { idempotencyDigest, reportCost }) {
    const execution = `${process.pid}.${++executions}`
    appendFileSync(EXECUTIONS, `${execution} ${name} ${idempotencyDigest ?? '-'}\n`)
    await delay(Number(WORK_MS) * (0.5 + Math.random()))
    const cost = idempotencyDigest === undefined ? undefined : costOfKey(idempotencyDigest)
    const isError = Math.random() < Number(FAILING)
    if (isError && Math.random() < 0.5) {
      // Some failures come after the provider has charged, others before.
      if (name === 'afterwards' && cost !== undefined && Math.random() < 0.5) reportCost(cost)
      throw new Error('The provider failed')
    }
    const result = { content: [{ type: 'text' as const, text: `execution ${execution}` }], ...(isError && { isError }) }
    return { result, ...(cost !== undefined && { cost }) }
  },
}

await serveFamily(meteredTools(provider, ESTIMATE), environment)
