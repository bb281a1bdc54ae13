import { Link, useSearchParams } from 'wouter'
import type { ConnectorEntry } from '../../../../schemas/connector-index.ts'
import { entryPath, isRemote, useAccounts } from '../../lib/connectors.ts'
import { useSession } from '../../lib/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ConnectorIcon } from '../../ui/connector-icon.tsx'
import { Card, PageHead } from '../../ui/layout.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Empty, ErrorPanel, Skeleton } from '../../ui/states.tsx'
import './catalog.css'
import { ConnectorState } from './connector-state.tsx'

/** The page of all connectors: search, categories, and which ones are connected. */
export default function Catalog() {
  const { may } = useSession()
  const { query } = useAccounts()
  const [search, setSearch] = useSearchParams()
  const text = search.get('q') ?? ''
  const category = search.get('category')
  const all = query.data?.connectors
  const change = (name: string, value: string | null) =>
    setSearch(
      previous => {
        const next = new URLSearchParams(previous)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  const found = all?.filter(entry => matches(entry, text) && (category === null || categoryOf(entry) === category))
  const connected = found?.filter(({ status }) => status !== 'disconnected') ?? []
  const others = found?.filter(({ status }) => status === 'disconnected') ?? []
  return (
    <>
      <PageHead
        title="Connectors"
        action={
          may.manage_connectors && (
            <ButtonLink href="/connectors/org" icon="plus">
              Register a server
            </ButtonLink>
          )
        }
      >
        Connect your accounts, so that clients and agents can use them through the gateway.
      </PageHead>
      <div className="catalog-tools">
        <SearchField label="Search connectors" value={text} onChange={value => change('q', value)} />
        <fieldset className="pills" aria-label="Categories">
          {[null, ...new Set(all?.map(categoryOf))].map(name => (
            <button
              key={name}
              type="button"
              className="pill"
              aria-pressed={category === name}
              onClick={() => change('category', name)}
            >
              {name ?? 'All'}
            </button>
          ))}
        </fieldset>
      </div>
      {query.error && <ErrorPanel error={query.error} onRetry={query.refetch} />}
      {all === undefined && !query.error && (
        <Card>
          <Skeleton lines={6} />
        </Card>
      )}
      {found?.length === 0 && (
        <Card>
          <Empty icon="search" title="No connector found">
            Search for another word, or choose another category.
          </Empty>
        </Card>
      )}
      {connected.length > 0 && <Group title="Connected" entries={connected} />}
      {others.length > 0 && (
        <Group title={connected.length > 0 ? 'Not connected' : 'All connectors'} entries={others} />
      )}
    </>
  )
}

function Group({ title, entries }: { title: string; entries: readonly ConnectorEntry[] }) {
  return (
    <section className="catalog-group">
      <h2 className="section-title">{title}</h2>
      <ul className="catalog">
        {entries.map(entry => (
          <li key={entry.id}>
            <Link href={entryPath(entry)} className="card connector">
              <ConnectorIcon url={iconPath(entry.icon_url)} />
              <span className="connector-text">
                <span className="connector-name">
                  <span className="truncate">{entry.name}</span>
                  <ConnectorState entry={entry} />
                </span>
                <span className="connector-about">{entry.description || 'A server of your organization.'}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The path of an icon, which the dashboard serves itself. */
export function iconPath(url: string | null): string | null {
  return url === null ? null : new URL(url, location.origin).pathname
}

function categoryOf(entry: ConnectorEntry): string {
  return isRemote(entry) ? 'your servers' : entry.category
}

function matches(entry: ConnectorEntry, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/)
  const about = `${entry.name} ${entry.id} ${entry.description} ${categoryOf(entry)}`.toLowerCase()
  return words.every(word => about.includes(word))
}
