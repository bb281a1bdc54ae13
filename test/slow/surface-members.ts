import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { ask, CALL, LIST } from './ask-mcp.ts'

/**
 * Members of one organization, in a process of their own: what they read must not delay who measures. Two list and two
 * call the tools of `key` at `port` with a pause in between until the parent goes away; each answer is told of.
 */
const PAUSE_MS = 100
const [port = '', key = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })
process.on('disconnect', () => process.exit(0))

async function member(message: object): Promise<never> {
  for (;;) {
    await ask({ agent, port: Number(port), key, message })
    process.send?.('answered')
    await delay(PAUSE_MS)
  }
}

await Promise.all([member(LIST), member(LIST), member(CALL), member(CALL)])
