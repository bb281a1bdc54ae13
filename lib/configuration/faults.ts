import { ConfigurationError } from './variable.ts'

/**
 * All faults of an environment. The message has one line for each of them, and then the warnings: one of them may
 * explain a fault.
 */
export class InvalidConfiguration extends Error {
  override readonly name = 'InvalidConfiguration'
  readonly faults: readonly ConfigurationError[]

  constructor(faults: Iterable<ConfigurationError>, warnings: readonly string[] = []) {
    const all = [...faults]
    super([...all.map(({ message }) => message), ...warnings].join('\n'))
    this.faults = all
  }
}

/**
 * Computes all parts, so that one start reports the faults of all of them. A part that needs the value of a faulty one
 * throws that one's error again (see `once`), which counts once. Throws InvalidConfiguration.
 */
export function computeAll<Parts extends Record<string, () => unknown>>(
  parts: Parts,
  earlier: readonly ConfigurationError[] = [],
): { [Name in keyof Parts]: ReturnType<Parts[Name]> } {
  const faults = new Set(earlier)
  const values = Object.entries(parts).flatMap(([name, compute]) => {
    try {
      return [[name, compute()] as const]
    } catch (error) {
      for (const fault of faultsOf(error)) faults.add(fault)
      return []
    }
  })
  if (faults.size > 0) throw new InvalidConfiguration(faults)
  return Object.fromEntries(values) as { [Name in keyof Parts]: ReturnType<Parts[Name]> }
}

function faultsOf(error: unknown): readonly ConfigurationError[] {
  if (error instanceof ConfigurationError) return [error]
  if (error instanceof InvalidConfiguration) return error.faults
  throw error
}

/** Computes a value at its first use. If that fails, every use throws the same error. */
export function once<T>(compute: () => T): () => T {
  let outcome: { value: T } | { error: unknown } | undefined
  return () => {
    outcome ??= attempt(compute)
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }
}

function attempt<T>(compute: () => T): { value: T } | { error: unknown } {
  try {
    return { value: compute() }
  } catch (error) {
    return { error }
  }
}
