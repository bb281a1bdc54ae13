import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { ConnectorEntry } from '../../../../schemas/connectors/connector.ts'
import { connectWay, entryPath, isRemote, useAccounts } from '../../lib/connectors.ts'
import { useSession } from '../../lib/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { SearchField } from '../../ui/field.tsx'
import { Card, PageHead } from '../../ui/layout.tsx'
import { Select } from '../../ui/select.tsx'
import { Empty, ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { ConnectorIcon, ConnectorState, iconPath } from './connector.tsx'
import './catalog.css'

/** The page of all connectors: search, categories, and which ones are connected. */
export default function Catalog() {
  const { may } = useSession()
  const { query } = useAccounts()
  const [search, setSearch] = useSearchParams()
  const text = search.get('q') ?? ''
  const category = search.get('category')
  const way = WAYS.find(({ value }) => value === search.get('connect'))?.value ?? 'all'
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
  const found = all?.filter(
    entry =>
      matches(entry, text) &&
      (category === null || categoryOf(entry) === category) &&
      (way === 'all' || (!isRemote(entry) && connectWay(entry) === way)),
  )
  const groups = Object.groupBy(found ?? [], groupOf)
  return (
    <>
      <PageHead
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
        <div className="catalog-way">
          <Select
            label="How to connect"
            value={way}
            onChange={value => change('connect', value === 'all' ? null : value)}
            options={WAYS}
          />
        </div>
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
            Search for another word, or choose another category or way to connect.
          </Empty>
        </Card>
      )}
      {groups.connected && <Group title="Connected" entries={groups.connected} />}
      {groups.open && <Group title={groups.connected ? 'Not connected' : 'Ready to connect'} entries={groups.open} />}
      {groups.app && (
        <Group title="Need an OAuth app first" entries={groups.app}>
          {may.manage_connectors
            ? 'Nobody can sign in to these connectors yet. Register an app at the provider once. The page of the connector lists the steps.'
            : 'Nobody can sign in to these connectors yet. Ask an owner or admin to add an OAuth app.'}
        </Group>
      )}
    </>
  )
}

/** The choices of how an account is connected. */
const WAYS = [
  { value: 'all', label: 'Any way to connect' },
  { value: 'sign-in', label: 'By signing in' },
  { value: 'key', label: 'With an API key' },
  { value: 'app', label: 'Needs an OAuth app' },
] as const

function groupOf(entry: ConnectorEntry): 'connected' | 'open' | 'app' {
  if (entry.status !== 'disconnected') return 'connected'
  return !isRemote(entry) && connectWay(entry) === 'app' ? 'app' : 'open'
}

interface GroupProps {
  title: string
  entries: readonly ConnectorEntry[]
  children?: ReactNode
}

function Group({ title, entries, children }: GroupProps) {
  return (
    <section className="catalog-group">
      <div>
        <h2 className="section-title">{title}</h2>
        {children !== undefined && <p className="muted small">{children}</p>}
      </div>
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

function categoryOf(entry: ConnectorEntry): string {
  return isRemote(entry) ? 'your servers' : entry.category
}

function matches(entry: ConnectorEntry, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/)
  const about = `${entry.name} ${entry.id} ${entry.description} ${categoryOf(entry)}`.toLowerCase()
  return words.every(word => about.includes(word))
}
