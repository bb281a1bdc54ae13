import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { CALL, LIST, timeRequest } from './timed-request.ts'

/**
 * Members of one organization in a separate process, so that reading their answers does not delay the measuring process.
 * Two list and two call the tools of `key` at `port`, with a pause in between, until the parent disconnects. The process
 * reports each answer to the parent.
 */
const PAUSE_MS = 100
const [port = '', key = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })
process.on('disconnect', () => process.exit(0))

async function member(message: object): Promise<never> {
  for (;;) {
    await timeRequest({ agent, port: Number(port), key, message })
    process.send?.('answered')
    await delay(PAUSE_MS)
  }
}

await Promise.all([member(LIST), member(LIST), member(CALL), member(CALL)])
