import { Link, useLocation, useSearchParams } from 'wouter'
import { useSession } from '../../lib/session.ts'

/** The tabs of what happened: calls of tools, and changes. */
export function ActivityTabs() {
  const { role } = useSession()
  return (
    <PageTabs
      label="Activity"
      pages={[
        { href: '/calls', label: 'Tool calls' },
        { href: '/audit', label: role === 'member' ? 'Your changes' : 'Changes' },
      ]}
    />
  )
}

/** Links between pages that belong together. */
function PageTabs({
  label,
  pages,
}: {
  label: string
  pages: readonly { readonly href: string; readonly label: string }[]
}) {
  const [path] = useLocation()
  return (
    <nav className="tabs page-tabs" aria-label={label}>
      {pages.map(page => (
        <Link key={page.href} href={page.href} className="tab" aria-current={path === page.href ? 'page' : undefined}>
          {page.label}
        </Link>
      ))}
    </nav>
  )
}

/** The filters of a list in the page's address, and a function that changes some of them. Null removes one. */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const [search, setSearch] = useSearchParams()
  const values = Object.fromEntries(
    names.flatMap(name => {
      const value = search.get(name)
      return value ? [[name, value]] : []
    }),
  ) as Partial<Record<Name, string>>

  function change(changes: Partial<Record<Name, string | null>>): void {
    const next = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries<string | null | undefined>(changes)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    setSearch(next, { replace: true })
  }
  return { values, change }
}

/** A URL with the filters as its query. */
export function withFilters(url: string, values: Partial<Record<string, string>>): string {
  const query = new URLSearchParams(values as Record<string, string>)
  return query.size > 0 ? `${url}?${query}` : url
}
