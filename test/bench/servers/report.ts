import type { Holder } from '../tools.ts'

/** What a server under test reports when it listens. */
export interface Ready {
  port: number
  /** API keys by owner. */
  keys?: Partial<Record<Holder, string>>
  /** A session token and an MCP client's OAuth token of the member who sees the fewest tools. */
  tokens?: { session: string; mcp: string }
  /** Additional headers of each request, such as the session. */
  headers?: Record<string, string>
}

/**
 * Reports to the parent where to send the load, and then the used CPU time in microseconds on request; by default the
 * CPU time of this process.
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
