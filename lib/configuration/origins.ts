import type { Config } from '../../schemas/config.ts'
import { mustBe } from './configuration-error.ts'
import { splitList } from './lists.ts'

const ORIGIN = /^https?:\/\/[^/?#@\\\s]+$/i
/** What a URL's host is once it has been parsed: this leaves out wildcards, which no Host header carries. */
const HOST_NAME = /^(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/
const LOOPBACK_ADDRESS = /^127(?:\.\d{1,3}){3}$/

/** The origins of a comma list, each as `URL.origin` writes it; throws the variable's ConfigurationError. */
export function parseOrigins(variable: keyof Config, list: string): URL[] {
  const origins = splitList(list).map(text => {
    const url = ORIGIN.test(text) ? URL.parse(text) : null
    if (url === null || !HOST_NAME.test(url.hostname)) throw mustBe(variable)
    return url
  })
  if (origins.length === 0) throw mustBe(variable)
  return origins
}

/**
 * The origins a service answers for. Each host stands once, because a Host header does not tell its scheme; outside
 * development http is for loopback alone: a credential that is sent to any other http origin crosses a network in the clear.
 */
export function parsePublicOrigins(list: string, development: boolean): readonly string[] {
  const origins = parseOrigins('PUBLIC_ORIGINS', list)
  if (new Set(origins.map(({ host }) => host)).size < origins.length) throw mustBe('PUBLIC_ORIGINS')
  const inTheClear = origins.some(({ protocol, hostname }) => protocol === 'http:' && !isLoopback(hostname))
  if (inTheClear && !development) throw mustBe('PUBLIC_ORIGINS')
  return origins.map(({ origin }) => origin)
}

/** What a service in development answers for unless it is told: the names of its own machine, at the port it listens on. */
export function loopbackOrigins(port: number): readonly string[] {
  return ['127.0.0.1', 'localhost', '[::1]'].map(host => new URL(`http://${host}:${port}`).origin)
}

/** Whether a host, as HOST or a URL names it, is this machine alone. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host.toLowerCase()) || LOOPBACK_ADDRESS.test(host)
}
