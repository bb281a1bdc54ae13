import type { Holder } from '../tools.ts'

/** What a server under test says of itself once it listens. */
export interface Ready {
  port: number
  /** API keys by whose they are. */
  keys?: Partial<Record<Holder, string>>
  /** A session token and an MCP client's OAuth token of who sees the fewest. */
  tokens?: { session: string; mcp: string }
  /** What each request to it carries besides: its session. */
  headers?: Record<string, string>
}

/**
 * Tells the parent where to send the load, then how much processor time was used in microseconds, whenever it asks: by
 * this process, unless it says so otherwise.
 */
export function report(ready: Ready, used = ownTime): void {
  process.send?.(ready)
  process.on('message', () => {
    process.send?.(used())
  })
  process.on('disconnect', () => process.exit(0))
}

function ownTime(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
