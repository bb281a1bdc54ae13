import { createContext, Script } from 'node:vm'
import robotsParser from 'robots-parser'
import { convert, readPdfText } from './conversion/convert.ts'
import { extract } from './conversion/extract.ts'
import { readSitemap } from './conversion/sitemap.ts'
import type { RobotsAnswer, RobotsTask, Task, Tasks } from './conversion/tasks.ts'
import type { PoolMessage } from './pool.ts'

// The entry of a process of the pool. It has an empty environment, may read only its modules, and may not write files or
// start processes. Node.js does not restrict its network: nothing here may use it.

function send(message: PoolMessage): void {
  process.send?.(message)
}

/** The answers to a task, each better than the one before. */
async function* answersTo(task: Task): AsyncGenerator<Tasks[keyof Tasks]['answer']> {
  if (task.kind === 'convert') yield* convert(task)
  else if (task.kind === 'extract') yield extract(task)
  else if (task.kind === 'pdf') yield await readPdfText(task)
  else if (task.kind === 'robots') yield applyRobots(task)
  else yield readSitemap(task)
}

/** The gateway kills this process earlier. If the gateway was killed itself, only this ends a computation. */
const MAX_COMPUTATION_MS = 5_000
const computation: { next?: () => Promise<IteratorResult<unknown>> } = {}
const context = createContext(computation)
const script = new Script('next()')

/** Computes the next answer, in a script because V8 ends one that takes too long. */
function next(answers: AsyncGenerator): Promise<IteratorResult<unknown>> {
  computation.next = () => answers.next()
  return script.runInContext(context, { timeout: MAX_COMPUTATION_MS })
}

process.on('message', async (task: Task) => {
  try {
    const answers = answersTo(task)
    for (let { value, done } = await next(answers); done !== true; { value, done } = await next(answers))
      send({ answer: value })
    send({ done: true })
  } catch (error) {
    send({ error: error instanceof Error ? error.message.slice(0, 300) : 'unknown error' })
  }
})
process.on('disconnect', () => process.exit())
send({ ready: true })

const MAX_SITEMAPS = 20

/** The types describe an ES module, the package is CommonJS. */
const parseRobots = robotsParser as unknown as typeof robotsParser.default

/** Applies a robots.txt (RFC 9309) to a URL of its origin. */
function applyRobots({ robotsUrl, text, url, agent }: RobotsTask): RobotsAnswer {
  const rules = parseRobots(robotsUrl, text)
  return { allowed: rules.isAllowed(url, agent) !== false, sitemaps: rules.getSitemaps().slice(0, MAX_SITEMAPS) }
}
