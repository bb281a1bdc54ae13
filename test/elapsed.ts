/** Milliseconds of this thread's own work. Other processes on the machine do not count, so it suits work that computes. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

const TICK_MS = 5

/**
 * Milliseconds that pass while `work` runs and this process gets CPU time. A pause of the event loop counts as one
 * tick, whether a busy machine or a computation causes it, so it suits work that waits. On an idle machine it is the
 * wall-clock time.
 */
export async function waitedMs(work: () => unknown): Promise<number> {
  let waited = 0
  let last = performance.now()
  const count = () => {
    const now = performance.now()
    waited += Math.min(now - last, 2 * TICK_MS)
    last = now
  }
  const ticks = setInterval(count, TICK_MS)
  try {
    await work()
    count()
    return waited
  } finally {
    clearInterval(ticks)
  }
}
