const KEY = 'dashboard-connect'

/** Keeps the page on which a connect began, for the page that the provider sends the browser back to. */
function rememberFlow(): void {
  sessionStorage.setItem(KEY, location.pathname + location.search)
}

/** The page on which the last connect of this tab began. */
export function lastFlow(): string {
  const path = sessionStorage.getItem(KEY)
  return path !== null && /^\/(connect|accounts|connectors\/org)\//.test(path) ? path : '/connectors'
}

/** Whether the last connect of this tab was at a server of the organization. */
export function isRemoteFlow(): boolean {
  return lastFlow().startsWith('/connectors/org/')
}

/** The tool that the user came to run again, and its account; undefined if the flow began elsewhere. */
export function runAgain(): { tool: string; account: string } | undefined {
  const search = new URLSearchParams(location.search || lastFlow().split('?')[1])
  const [tool, account] = [search.get('again'), search.get('account')]
  return tool === null || account === null ? undefined : { tool, account }
}

/** Goes to the provider in this tab. */
export function openProvider(url: string): void {
  const { protocol } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return
  rememberFlow()
  location.assign(url)
}
