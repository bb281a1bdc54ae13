/** The page that a sign-in leads to, on the dashboard's own origin; `/` for anything else. */
export function safeReturnPath(path: string | undefined, origin: string): string {
  // Browsers drop tabs and line breaks and take `\` for `/`, so that other texts could name another host.
  if (path === undefined || path.length > 2_000 || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path)) return '/'
  const url = URL.parse(path, origin)
  // `/.//evil` is a path of this origin that becomes `//evil`, which is one of another.
  if (url === null || url.origin !== origin || url.pathname.startsWith('//')) return '/'
  return `${url.pathname}${url.search}`
}
