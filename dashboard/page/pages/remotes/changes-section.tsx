import type { RemoteConnectorRead, SnapshotChanges, ToolChange } from '../../../../schemas/remote.ts'
import { request } from '../../lib/api.ts'
import { formatDate } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { REMOTE_CHANGES, remoteUrl } from '../../lib/remotes.ts'
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
        {rowsOf(changes).map(row => (
          <Change key={`${row.kind} ${row.name}`} {...row} />
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
}

/** The changes of a snapshot, the risky ones first. */
function rowsOf({ added, removed, changed, renamed }: SnapshotChanges): Row[] {
  const renamedTo = ({ from, to, risky }: SnapshotChanges['renamed'][number]): Row => ({
    ...{ kind: 'Renamed', name: to, risky },
    changes: [{ what: 'name', risky, detail: `It was called ${from}. Clients that know the old name fail.` }],
  })
  const rows: Row[] = [
    ...changed.map((change): Row => ({ ...change, kind: 'Changed' })),
    ...renamed.map(renamedTo),
    ...added.map((change): Row => ({ ...change, kind: 'New' })),
    ...removed.map((change): Row => ({ ...change, kind: 'Gone' })),
  ]
  return rows.toSorted((a, b) => Number(b.risky) - Number(a.risky))
}

function Change({ kind, name, changes, risky }: Row) {
  return (
    <li className="change">
      <div className="row">
        <code>{name}</code>
        <Badge>{kind}</Badge>
        {risky && <Badge tone="warn">Risky</Badge>}
      </div>
      <ul>
        {changes.map(({ what, detail, risky }) => (
          <li key={`${what} ${detail}`} className={risky ? 'change-risky' : undefined}>
            <Icon name={risky ? 'triangle-alert' : 'check'} size={14} />
            <span>
              {risky && <span className="hidden">Risky: </span>}
              {detail}
            </span>
          </li>
        ))}
      </ul>
    </li>
  )
}
