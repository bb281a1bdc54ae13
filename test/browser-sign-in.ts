/** Enough steps for a sign-in and a consent, with their redirects. */
const MAX_STEPS = 12

/**
 * Opens an authorization URL like a browser and its user: follows redirects, signs in as the account and agrees. Returns the
 * client's redirect URI without opening it. Throws if the server shows anything else.
 */
export async function browserSignIn(authorizationUrl: URL, account: string): Promise<URL> {
  const cookies = new Map<string, string>()
  const { origin } = authorizationUrl
  const redirectUri = authorizationUrl.searchParams.get('redirect_uri')
  if (redirectUri === null) throw new Error('The authorization URL names no redirect_uri')
  let url = authorizationUrl
  let form: URLSearchParams | undefined

  for (let step = 0; step < MAX_STEPS; step++) {
    if (url.origin !== origin) throw new Error(`The authorization server leads to ${url.origin}`)
    const page = await fetch(url, {
      method: form === undefined ? 'GET' : 'POST',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      redirect: 'manual',
      ...(form !== undefined && { body: form }),
    })
    keepCookies(cookies, page.headers)
    const text = await page.text()
    const location = page.headers.get('location')
    if (location !== null) {
      url = new URL(location, url)
      form = undefined
      if (`${url.origin}${url.pathname}` === redirectUri) return url
    } else {
      const filled = fillIn(text, account)
      if (page.status !== 200 || filled === undefined) throw new Error(`The page at ${url.pathname} is ${page.status}`)
      url = new URL(filled.action, url)
      form = filled.fields
    }
  }
  throw new Error(`No redirect to the client after ${MAX_STEPS} steps`)
}

function keepCookies(cookies: Map<string, string>, headers: Headers): void {
  for (const line of headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '') cookies.delete(name)
    else cookies.set(name, value)
  }
}

/** Fills in the page's form; undefined if it has no known form. */
function fillIn(page: string, account: string): { action: string; fields: URLSearchParams } | undefined {
  const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1]
  const prompt = /name="prompt" value="(login|consent)"/.exec(page)?.[1]
  if (action === undefined || prompt === undefined) return undefined
  const typed: Record<string, string> = prompt === 'login' ? { login: account, password: 'any' } : {}
  return { action, fields: new URLSearchParams({ prompt, ...typed }) }
}
