/** Resolves when that is so: for what goes on by itself and has no other end to wait for. */
export async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await check())) await new Promise(setImmediate)
}
