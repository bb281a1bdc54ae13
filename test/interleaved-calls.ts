import type { Test } from 'tap'
import type { RemoteJourney } from './remote-journey.ts'
import { legacyServer } from './upstreams/legacy-server.ts'
import { specimenTools } from './upstreams/specimen-tools.ts'

const AT_A_TIME = 16
/** The number of calls that the upstream holds before it answers them. */
const TOGETHER = 8

/**
 * Calls one upstream from two organizations in turn, several at a time and all with one JSON-RPC ID. The upstream answers in
 * another order. Returns the calls with a wrong answer.
 */
export async function wrongAnswers(
  t: Test,
  { team, calls }: Pick<RemoteJourney, 'team'> & { calls: number },
): Promise<number[]> {
  const tools = specimenTools()
  const waiting: (() => void)[] = []
  let left = calls
  const server = await legacyServer(t, {
    tools: {
      ...tools,
      async call(call) {
        const { promise, resolve } = Promise.withResolvers<void>()
        waiting.push(resolve)
        if (waiting.length >= Math.min(TOGETHER, left)) answerLastFirst()
        await promise
        return tools.call(call)
      },
    },
  })

  function answerLastFirst(): void {
    left -= waiting.length
    for (const answer of waiting.splice(0).reverse()) answer()
  }

  const callers = [(await team()).owner, (await team()).owner]
  for (const caller of callers) await caller.register('shared', server.url)
  const wrong: number[] = []
  let next = 0
  async function work(): Promise<void> {
    for (let n = next++; n < calls; n = next++) {
      const answer = await callers[n % 2]?.call('org__shared__echo', { n })
      if (JSON.stringify(answer?.structuredContent) !== JSON.stringify({ n })) wrong.push(n)
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work))
  t.equal(left, 0, 'each call reached the upstream once')
  return wrong
}
