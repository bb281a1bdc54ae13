import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { useCurrentPage } from './current-page.ts'
import { Icon } from './icon.tsx'

/** The head of a page: its title (by default that of `pages.ts`), one sentence, its actions. */
export function PageHead(props: { title?: string; children?: ReactNode; action?: ReactNode }) {
  const page = useCurrentPage()
  const { title = page.title, children, action } = props
  useEffect(() => {
    document.title = `${title} · Connector gateway`
  }, [title])
  return (
    <header className="page-head">
      <div>
        <h1 className="page-title">{title}</h1>
        {children !== undefined && <p className="page-text">{children}</p>}
      </div>
      {action !== undefined && <div className="row">{action}</div>}
    </header>
  )
}

/** The link above a page to the list that it belongs to. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="back-link">
      <Icon name="chevron-left" size={14} /> {children}
    </Link>
  )
}

/** A part of a page on its own surface. */
export function Card({ children }: { children: ReactNode }) {
  return <section className="card">{children}</section>
}

/** A card with a title and padding. */
export function Section(props: { title: string; text?: ReactNode; action?: ReactNode; children?: ReactNode }) {
  const { title, text, action, children } = props
  return (
    <section className="card section">
      <header className="section-head">
        <div>
          <h2 className="section-title">{title}</h2>
          {text !== undefined && <p className="muted small">{text}</p>}
        </div>
        {action !== undefined && <div className="row">{action}</div>}
      </header>
      {children}
    </section>
  )
}
/** Names with values. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
