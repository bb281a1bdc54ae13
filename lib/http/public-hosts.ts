/**
 * The public origins of the gateway, looked up by Host header. In development they contain the port, which is known
 * only after listening.
 */
export class PublicHosts {
  readonly #originsAt: (port: number) => readonly string[]
  #origins: readonly string[] = []
  #byHost: ReadonlyMap<string, string> = new Map()

  /** Takes a function from the listening port (0 before) to the origins, as `new URL(…).origin` writes them. */
  constructor(originsAt: (port: number) => readonly string[]) {
    this.#originsAt = originsAt
    this.listenOn(0)
  }

  /** Sets the port that the server listens on. */
  listenOn(port: number): void {
    this.#origins = this.#originsAt(port)
    this.#byHost = new Map(this.#origins.flatMap(origin => hostsOf(origin).map(host => [host, origin])))
  }

  /** The valid audiences of MCP tokens: POST /mcp of each public origin, independent of the Host header (RFC 8707). */
  get mcpResources(): readonly string[] {
    return this.#origins.map(origin => `${origin}/mcp`)
  }

  /** Returns the public origin of a Host header; undefined for any other or invalid host. */
  originOf(host: string | undefined): string | undefined {
    return host === undefined ? undefined : (this.#byHost.get(host) ?? this.#byHost.get(host.toLowerCase()))
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
