/**
 * The origins a service answers for, looked up by the Host header of a request. Those of development hold the port that
 * the service listens on, which is known only then.
 */
export class PublicHosts {
  readonly #originsAt: (port: number) => readonly string[]
  #origins: readonly string[] = []
  #byHost: ReadonlyMap<string, string> = new Map()

  /** Takes origins as `new URL(…).origin` writes them, given the port that is listened on (0 before). */
  constructor(originsAt: (port: number) => readonly string[]) {
    this.#originsAt = originsAt
    this.listenOn(0)
  }

  /** Takes note of the port that the service listens on. */
  listenOn(port: number): void {
    this.#origins = this.#originsAt(port)
    this.#byHost = new Map(this.#origins.flatMap(origin => hostsOf(origin).map(host => [host, origin])))
  }

  /** What a token of the MCP issuer may be for: POST /mcp of each origin, never of a Host header (RFC 8707). */
  get mcpResources(): readonly string[] {
    return this.#origins.map(origin => `${origin}/mcp`)
  }

  /** The public origin that a Host header names; undefined for any other host, and for whatever is not a host at all. */
  originOf(host: string | undefined): string | undefined {
    return host === undefined ? undefined : (this.#byHost.get(host) ?? this.#byHost.get(host.toLowerCase()))
  }

  /** Whether an Origin header is one of the service's own. */
  isOwn(origin: string): boolean {
    return this.originOf(hostOf(origin)) === origin
  }
}

/** The forms in which a client may write an origin's host: the default port stands or is left out. */
function hostsOf(origin: string): string[] {
  const { host, port, protocol } = new URL(origin)
  if (port !== '') return [host]
  return [host, `${host}:${protocol === 'https:' ? 443 : 80}`]
}

function hostOf(origin: string): string | undefined {
  return /^https?:\/\/([^/?#@]+)$/.exec(origin)?.[1]
}
