import { Link, useLocation } from 'wouter'

/** Links between pages that belong together. */
export function PageTabs({
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
