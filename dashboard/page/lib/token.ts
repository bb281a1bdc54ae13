import { navigate } from 'wouter/use-browser-location'

const KEY = 'dashboard-token'

/** The token that the API requires beside the cookie; null for a browser that is not signed in. */
export function readToken(): string | null {
  return localStorage.getItem(KEY)
}

/** Keeps the token of a sign-in. */
export function saveToken(token: string): void {
  localStorage.setItem(KEY, token)
}

const BROWSER = 'dashboard-browser'

/** A random text of this browser. A page on another port can plant a cookie of a sign-in, but not this. */
export function browserId(): string {
  const known = localStorage.getItem(BROWSER)
  if (known !== null) return known
  const id = crypto.randomUUID()
  localStorage.setItem(BROWSER, id)
  return id
}

/** Forgets the token and opens the sign-in page, which returns to this page. */
export function leave(): void {
  localStorage.removeItem(KEY)
  const { pathname, search } = location
  if (pathname === '/sign-in') return
  keepFragment()
  navigate(pathname === '/' ? '/sign-in' : `/sign-in?return=${encodeURIComponent(pathname + search)}`)
}

const FRAGMENT = 'dashboard-fragment'

/** Keeps the token after # of a one-time link across a sign-in. It must not reach a server in a URL. */
function keepFragment(): void {
  const { pathname, hash } = location
  if (hash.length > 1) sessionStorage.setItem(FRAGMENT, JSON.stringify([pathname, hash.slice(1)]))
}

/** Takes the token after # of a one-time link, and removes it from the address bar. Undefined if there is none. */
export function takeFragment(): string | undefined {
  const { pathname, search, hash } = location
  if (hash.length > 1) {
    history.replaceState(null, '', pathname + search)
    return hash.slice(1)
  }
  const [path, fragment] = JSON.parse(sessionStorage.getItem(FRAGMENT) ?? '[]') as [string?, string?]
  if (path !== pathname) return undefined
  sessionStorage.removeItem(FRAGMENT)
  return fragment
}

/** A path of this origin to go to after a sign-in; `/` for anything else. */
export function safePath(path: string | null | undefined): string {
  if (!path?.startsWith('/')) return '/'
  return localPath(path) ?? '/'
}

/** The path of a URL of this origin; undefined for any other. */
export function localPath(text: string): string | undefined {
  const url = URL.parse(text, location.origin)
  // `/.//evil` becomes `//evil`, which is a URL of another origin.
  if (url?.origin !== location.origin || url.pathname.startsWith('//')) return undefined
  return url.pathname + url.search + url.hash
}
