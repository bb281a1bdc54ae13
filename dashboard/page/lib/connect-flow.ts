const KEY = 'dashboard-connect'

/** Keeps the page on which a connect began, for the page that the provider sends the browser back to. */
function rememberFlow(): void {
  sessionStorage.setItem(KEY, location.pathname + location.search)
}

/** The page on which the last connect of this tab began. */
export function lastFlow(): string {
  const path = sessionStorage.getItem(KEY)
  return path !== null && /^\/(connect|accounts)\//.test(path) ? path : '/connectors'
}

/** Goes to the provider in this tab. */
export function openProvider(url: string): void {
  const { protocol } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return
  rememberFlow()
  location.assign(url)
}
