import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http'
import { escaped } from '../../lib/html/write-tag.ts'

/** Whether a browser opened the URL: only browsers name HTML in `Accept`. The requests of pages and of clients do not. */
export function isOpenedByBrowser({ method, headers }: { method: string; headers: IncomingHttpHeaders }): boolean {
  return (method === 'GET' || method === 'HEAD') && /\btext\/html\b/i.test(headers.accept ?? '')
}

/** The headers of `errorPage`. No cache may store the page, because its URL also has an answer in JSON. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/** An HTML page that shows only the status and the message of an error. */
export function errorPage(status: number, message: string): string {
  const title = `${status} ${STATUS_CODES[status] ?? 'Error'}`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<h1>${title}</h1>
<p>${escaped(message)}</p>
</html>
`
}
