/** The origins a service answers for, looked up by the Host header of a request. */
export class PublicHosts {
  readonly #origins: ReadonlyMap<string, string>

  /** Takes origins as `new URL(…).origin` writes them. */
  constructor(origins: readonly string[]) {
    this.#origins = new Map(origins.flatMap(origin => hostsOf(origin).map(host => [host, origin])))
  }

  /** The public origin that a Host header names; undefined for any other host, and for whatever is not a host at all. */
  originOf(host: string | undefined): string | undefined {
    return host === undefined ? undefined : (this.#origins.get(host) ?? this.#origins.get(host.toLowerCase()))
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

/** Whether a request has two Host headers, of which Node would show the first alone (RFC 9112, section 3.2). */
export function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}
