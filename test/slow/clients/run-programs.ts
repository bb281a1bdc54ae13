import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'

// Runs programs one after the other in this process, because loading an SDK takes longer than using it. The argument is a
// file with the jobs. Writes one JSON line for each: its results, and what it wrote and threw, as Node.js would print it.
const jobs = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as { file: string; credential: string }[]
const write = process.stdout.write.bind(process.stdout)
let shown = ''
for (const stream of [process.stdout, process.stderr])
  stream.write = (chunk: string | Uint8Array) => {
    shown += chunk.toString()
    return true
  }
// A background request of a client that failed before.
process.on('unhandledRejection', error => {
  shown += inspect(error)
})

for (const { file, credential } of jobs) {
  shown = ''
  process.env.CGW_KEY = credential
  let results: { listed?: unknown; called?: unknown } = {}
  try {
    const late = delay(20_000, undefined, { ref: false }).then(() =>
      Promise.reject(new Error('It did not end in time.')),
    )
    results = await Promise.race([import(pathToFileURL(file).href), late])
  } catch (error) {
    shown += inspect(error, { depth: 6, breakLength: Infinity })
  }
  const { listed, called } = results
  write(`${JSON.stringify({ listed, called: JSON.stringify(called), shown })}\n`)
}
process.exit()
