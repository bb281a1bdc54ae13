/** What a server under test says of itself once it listens. */
export interface Ready {
  port: number
  /** API keys by the number of tools that their holders see. */
  keys?: Record<number, string>
  /** A session token and an MCP client's OAuth token of who sees the fewest. */
  tokens?: { session: string; mcp: string }
}

/** Tells the parent where to send the load, then how much processor time this process has used, whenever it asks. */
export function report(ready: Ready): void {
  process.send?.(ready)
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.(user + system)
  })
  process.on('disconnect', () => process.exit(0))
}
