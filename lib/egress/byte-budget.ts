import { GatewayError } from '../errors/errors.ts'

/** The bytes of one body in memory. */
interface HeldBytes {
  /** Counts received bytes. Throws overloaded above the budget. */
  add(bytes: number): void
  /** Ends the count, when the body is no longer needed. Call it once. */
  end(): void
}

/** The limit on the bodies that are in memory at the same time. */
export interface ByteBudget {
  /** Begins to count a body for an organization. */
  open(orgId: string): HeldBytes
}

interface ByteBudgetOptions {
  /** The maximum number of bytes: of all organizations, and of one. */
  max: number
  maxEach: number
  /** What is too much, as the subject of a sentence: `Too many large pages are being read`. */
  tooMuch: string
}

export function createByteBudget({ max, maxEach, tooMuch }: ByteBudgetOptions): ByteBudget {
  const heldBytes = new Map<string, number>()
  let total = 0

  function count(orgId: string, bytes: number): void {
    const left = (heldBytes.get(orgId) ?? 0) + bytes
    total += bytes
    if (left === 0) heldBytes.delete(orgId)
    else heldBytes.set(orgId, left)
  }

  return {
    open(orgId) {
      let held = 0
      return {
        add(bytes) {
          if (total + bytes > max || (heldBytes.get(orgId) ?? 0) + bytes > maxEach)
            throw new GatewayError('overloaded', `${tooMuch} now. Retry in a few seconds.`)
          held += bytes
          count(orgId, bytes)
        },
        end: () => count(orgId, -held),
      }
    },
  }
}
