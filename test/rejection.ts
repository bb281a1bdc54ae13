type ErrorClass<E extends Error> = abstract new (...args: never[]) => E

/** The error that a promise is rejected with. Fails the test if it resolves, or with any other kind of error. */
export async function rejectionOf<E extends Error>(promise: Promise<unknown>, kind: ErrorClass<E>): Promise<E> {
  try {
    await promise
  } catch (error) {
    if (error instanceof kind) return error
    throw error
  }
  throw new Error(`Expected a ${kind.name}, but the promise resolved`)
}
