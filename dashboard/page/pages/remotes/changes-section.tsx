import { type ReactNode, useState } from 'react'
import type { RemoteConnectorRead, SnapshotChanges, ToolChange } from '../../../../schemas/remote.ts'
import { request } from '../../lib/api.ts'
import { formatDate } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { type Pending, pendingRecords, REMOTE_CHANGES, remoteUrl } from '../../lib/remotes.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Section } from '../../ui/layout.tsx'
import { ErrorPanel } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import './remotes.css'

/** The tools that the server offers now and that wait for an admin: what changed, what of it is risky, and to accept it. */
export function ChangesSection({ entry }: { entry: RemoteConnectorRead }) {
  const { pending } = entry.remote
  const accept = useAction({
    run: (hash: string) => request('POST', `${remoteUrl(entry.id)}/refresh`, { body: { accept: hash } }),
    changes: REMOTE_CHANGES,
    onDone: () => toast('The changes are live.'),
  })
  if (pending?.changes === undefined) return null
  const { full_schema_hash: hash, change_count: count, risky_count: risky, changes } = pending
  return (
    <Section
      title={count === 1 ? 'One change waits for you' : `${count} changes wait for you`}
      text={
        <>
          Found <Time at={pending.fetched_at} />, kept until {formatDate(pending.expires_at)}. Clients see none of it
          until you accept it.
        </>
      }
      action={risky > 0 ? <Badge tone="warn">{risky} risky</Badge> : <Badge tone="good">Harmless</Badge>}
    >
      <ul className="changes">
        {rowsOf(changes, pending).map(row => (
          <Change key={`${row.kind} ${row.changes[0]?.what} ${row.name}`} {...row} />
        ))}
      </ul>
      {accept.error && <ErrorPanel error={accept.error} />}
      <div className="row">
        <Button kind="primary" icon="check" busy={accept.isPending} onClick={() => accept.mutate(hash)}>
          Accept exactly this
        </Button>
        {risky > 0 && (
          <span className="muted small">
            Models read the descriptions: a changed one can be an attempt to steer them.
          </span>
        )}
      </div>
    </Section>
  )
}

type Kind = 'New' | 'Gone' | 'Changed' | 'Renamed'

interface Row extends ToolChange {
  kind: Kind
  /** All that is published of it now; undefined if it is gone. */
  whole: object | undefined
}

/** The changes of a snapshot, the risky ones first. */
function rowsOf({ added, removed, changed, renamed }: SnapshotChanges, pending: Pending): Row[] {
  const records = pendingRecords(pending)
  const wholeOf = ({ name, changes: [first] }: ToolChange) =>
    records.get(`${first?.what} ${name}`) ?? records.get(`tool ${name}`)
  const renamedTo = ({ from, to, risky }: SnapshotChanges['renamed'][number]): Row => ({
    ...{ kind: 'Renamed', name: to, risky, whole: undefined },
    changes: [{ what: 'name', risky, detail: `It was called ${from}. Clients that know the old name fail.` }],
  })
  const rows: Row[] = [
    ...changed.map((change): Row => ({ ...change, kind: 'Changed', whole: wholeOf(change) })),
    ...renamed.map(renamedTo),
    ...added.map((change): Row => ({ ...change, kind: 'New', whole: wholeOf(change) })),
    ...removed.map((change): Row => ({ ...change, kind: 'Gone', whole: undefined })),
  ]
  return rows.toSorted((a, b) => Number(b.risky) - Number(a.risky))
}

function Change({ kind, name, changes, risky, whole }: Row) {
  return (
    <li className="change">
      <div className="row">
        <code>{name}</code>
        <Badge>{kind}</Badge>
        {risky && <Badge tone="warn">Risky</Badge>}
      </div>
      <ul>
        {changes.map(({ what, detail, risky, before, after }) => (
          <li key={`${what} ${detail}`} className={risky ? 'change-risky' : undefined}>
            <Icon name={risky ? 'triangle-alert' : 'check'} size={14} />
            <div>
              {risky && <span className="hidden">Risky: </span>}
              {detail}
              {!(isShown(before, detail) && isShown(after, detail)) && (
                <Disclosure title="Before and now">
                  <Value title="Before" value={before} />
                  <Value title="Now" value={after} />
                </Disclosure>
              )}
            </div>
          </li>
        ))}
      </ul>
      {whole !== undefined && (
        <Disclosure title={kind === 'New' ? 'All of it' : 'All of it as it is now'}>
          <Whole record={whole} />
        </Disclosure>
      )}
    </li>
  )
}

/** A part that opens. What it holds is rendered only then, because a server can publish megabytes. */
function Disclosure({ title, children }: { title: string; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <details className="change-values" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {open && <div className="stack">{children}</div>}
    </details>
  )
}

/** Whether the sentence has all of a value. */
function isShown(value: unknown, detail: string): boolean {
  return value === undefined || detail.includes(typeof value === 'string' ? value : JSON.stringify(value))
}

function Value({ title, value }: { title: string; value: unknown }) {
  return (
    <div className="field">
      <span className="field-label">{title}</span>
      {value === undefined && <p className="muted">Nothing</p>}
      {typeof value === 'string' && <p className="remote-text">{value}</p>}
      {value !== undefined && typeof value !== 'string' && <pre>{JSON.stringify(value, null, 2)}</pre>}
    </div>
  )
}

/** Its description as text, and everything else as the server publishes it. */
function Whole({ record }: { record: object }) {
  const { description, ...rest } = record as { description?: string }
  return (
    <>
      <Value title="Description" value={description} />
      <Value title="Everything else" value={rest} />
    </>
  )
}
