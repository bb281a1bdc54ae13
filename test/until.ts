const LIMIT_MS = 120_000

/** Resolves when the check returns true. For background work without an event to wait for. Rejects after two minutes. */
export async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  const limit = performance.now() + LIMIT_MS
  while (!(await check())) {
    if (performance.now() > limit) throw new Error(`Waited for two minutes in vain: ${check}`)
    await new Promise(setImmediate)
  }
}
