/** Resolves when the check returns true. For background work without an event to wait for. */
export async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await check())) await new Promise(setImmediate)
}
