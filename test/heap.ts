import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes in use, of the heap and beside it, once what is garbage is gone, which one collection does not always find. */
export async function bytesInUse(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let i = 0; i < 3; i++) {
    collect()
    await delay(50)
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
