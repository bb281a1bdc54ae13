import { AsyncLocalStorage, AsyncResource as NodeResource } from 'node:async_hooks'
import { registerHooks } from 'node:module'

// Loaded into each test process. tap finds the test of an error that nothing catches with `async-hook-domain`, which follows
// every promise through hooks of `node:async_hooks`: a fifth of the CPU time of all tests. Here, Node's own
// `AsyncLocalStorage` follows them, which costs next to nothing.

/** The identifier of the test in which code runs. */
const test = new AsyncLocalStorage<number>()
let tests = 0

/** What tap runs a test in. */
export class AsyncResource extends NodeResource {
  readonly #id = ++tests

  override runInAsyncScope<This, Result>(
    run: (this: This, ...args: unknown[]) => Result,
    self?: This,
    ...args: unknown[]
  ): Result {
    return super.runInAsyncScope(() => test.run(this.#id, () => run.apply(self as This, args)))
  }
}

/** Returns 0 outside a test. */
export const executionAsyncId = () => test.getStore() ?? 0

export const createHook = () => ({ enable() {}, disable() {} })

registerHooks({
  resolve(specifier, context, nextResolve) {
    const isOfTap = specifier === 'async_hooks' && /\/(async-hook-domain|@tapjs\/core)\//.test(context.parentURL ?? '')
    return isOfTap ? { url: import.meta.url, shortCircuit: true } : nextResolve(specifier, context)
  },
})
