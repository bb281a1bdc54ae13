/** The paths of POST /mcp. The slash is what people type; clients compare the resource of their URL exactly. */
export const MCP_PATHS = ['/mcp', '/mcp/'] as const

/**
 * The public origins of the gateway, looked up by Host header. In development they contain the port, which is known
 * only after listening.
 */
export class PublicHosts {
  readonly #originsAt: (port: number) => readonly string[]
  #port = 0
  /** Computed on use: an operator's command runs without PUBLIC_ORIGINS. */
  #hosts: { readonly origins: readonly string[]; readonly byHost: ReadonlyMap<string, string> } | undefined

  /** Takes a function from the listening port (0 before) to the origins, as `new URL(…).origin` writes them. */
  constructor(originsAt: (port: number) => readonly string[]) {
    this.#originsAt = originsAt
  }

  /** Sets the port that the server listens on. */
  listenOn(port: number): void {
    this.#port = port
    this.#hosts = undefined
  }

  #known() {
    if (this.#hosts !== undefined) return this.#hosts
    const origins = this.#originsAt(this.#port)
    this.#hosts = { origins, byHost: new Map(origins.flatMap(origin => hostsOf(origin).map(host => [host, origin]))) }
    return this.#hosts
  }

  /**
   * The valid audiences of MCP tokens: POST /mcp of each public origin, independent of the Host header (RFC 8707). The first
   * is the URL to give to clients.
   */
  get mcpResources(): readonly string[] {
    return this.#known().origins.flatMap(origin => MCP_PATHS.map(path => origin + path))
  }

  /** Returns the public origin of a Host header; undefined for any other or invalid host. */
  originOf(host: string | undefined): string | undefined {
    if (host === undefined) return undefined
    const { byHost } = this.#known()
    return byHost.get(host) ?? byHost.get(host.toLowerCase())
  }

  /** Whether an Origin header is one of the gateway's own origins. */
  isOwn(origin: string): boolean {
    return this.originOf(hostOf(origin)) === origin
  }
}

/** The forms in which a client may write an origin's host: with or without the default port. */
function hostsOf(origin: string): string[] {
  const { host, port, protocol } = new URL(origin)
  if (port !== '') return [host]
  return [host, `${host}:${protocol === 'https:' ? 443 : 80}`]
}

function hostOf(origin: string): string | undefined {
  return /^https?:\/\/([^/?#@]+)$/.exec(origin)?.[1]
}
