import { navigate } from 'wouter/use-browser-location'

const KEY = 'dashboard-token'

/** The token that the API requires beside the cookie; null for a browser that is not signed in. */
export function readToken(): string | null {
  return localStorage.getItem(KEY)
}

/** Keeps the token of the session. */
export function saveToken(token: string): void {
  localStorage.setItem(KEY, token)
}

/** The user and the organization that this tab shows. Every request names them. */
let shown: { user: string; organization: string | undefined } | undefined

/** Says what this tab shows from now on. */
export function showAs(user: string, organization: string | undefined): void {
  shown = { user, organization }
}

/** The headers of what this tab shows: if the session acts as others, the request is refused. */
export function shownHeaders(): { 'x-dashboard-user'?: string; 'x-dashboard-organization'?: string } {
  if (shown === undefined) return {}
  const { user, organization } = shown
  return { 'x-dashboard-user': user, ...(organization !== undefined && { 'x-dashboard-organization': organization }) }
}

/** Keeps the token of a new session in this tab, which shows nothing of another user any more. */
export function beginSession(token: string): void {
  shown = undefined
  saveToken(token)
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
  shown = undefined
  const { pathname, search } = location
  if (pathname === '/sign-in') return
  keepFragment()
  navigate(pathname === '/' ? '/sign-in' : `/sign-in?return=${encodeURIComponent(pathname + search)}`)
}

const PENDING = 'dashboard-pending'
/** How long a sign-in of a client waits. */
const PENDING_MS = 10 * 60_000

/** Keeps the page that a one-time link leads to, which opens in a tab of its own. */
export function keepPage(path: string): void {
  if (path !== '/') localStorage.setItem(PENDING, JSON.stringify([path, Date.now()]))
}

/** Takes the page that the user wanted before they signed in with a link; undefined without one. */
export function takePage(): string | undefined {
  const [path, at = 0] = JSON.parse(localStorage.getItem(PENDING) ?? '[]') as [string?, number?]
  localStorage.removeItem(PENDING)
  return Date.now() - at < PENDING_MS ? path : undefined
}

/** Calls back when another tab of this browser signs in. Returns how to stop. */
export function onSignIn(signedIn: () => void): () => void {
  function listen({ key, newValue }: StorageEvent): void {
    if (key === KEY && newValue !== null) signedIn()
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}

const FRAGMENT = 'dashboard-fragment'

/** Keeps the token after # of a one-time link across a sign-in. It must not reach a server in a URL. */
function keepFragment(): void {
  const { pathname, hash } = location
  if (hash.length > 1) sessionStorage.setItem(FRAGMENT, JSON.stringify([pathname, hash.slice(1)]))
}

/** Takes the token after # of a one-time link, and removes it from the address bar. Undefined without one. */
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

/** The shortest token of a one-time link; other fragments name a part of the page. */
const TOKEN_LENGTH = 20

/** Opens a one-time link that the user enters while its page is shown: the browser itself only changes the address. */
export function openEnteredLinks(): void {
  addEventListener('hashchange', () => {
    if (location.hash.length > TOKEN_LENGTH) location.reload()
  })
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
