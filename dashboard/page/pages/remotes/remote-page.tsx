import { type ReactNode, useState } from 'react'
import { useParams } from 'wouter'
import type { RemoteConnectorRead, SnapshotChanges, ToolChange } from '../../../../schemas/remotes/remote.ts'
import { request } from '../../lib/api.ts'
import { formatDate } from '../../lib/format.ts'
import { usePeople, withinSentence } from '../../lib/people.ts'
import { useAction } from '../../lib/queries.ts'
import {
  hostOf,
  isPerMember,
  type Pending,
  pendingRecords,
  REMOTE_CHANGES,
  remoteUrl,
  useRemote,
} from '../../lib/remotes.ts'
import { useSession } from '../../lib/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { BackLink, Card, Facts, PageHead, Section } from '../../ui/layout.tsx'
import { ErrorPanel, Notice, Skeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { ConnectorIcon, ConnectorState } from '../connectors/connector.tsx'
import { MODES } from './connection-fields.tsx'
import { CredentialSection } from './credential-section.tsx'
import { RemoteActions } from './remote-actions.tsx'
import { RemoteTools } from './remote-tools.tsx'
import '../connectors/connector.css'
import './remotes.css'

/** The page of a registered server: its state, the user's access, its tools, and for admins what they decide. */
export default function RemotePage() {
  const { slug = '' } = useParams()
  const { may } = useSession()
  const { data: entry, error, refetch } = useRemote(slug)
  if (error) return <ErrorPanel error={error} onRetry={refetch} />
  if (entry === undefined)
    return (
      <Card>
        <Skeleton />
      </Card>
    )
  return (
    <div className="stack">
      <div>
        <BackLink href="/connectors">Connectors</BackLink>
        <div className="connector-head">
          <ConnectorIcon url={null} size={48} />
          <PageHead title={entry.name} action={may.manage_connectors && <RemoteActions entry={entry} />}>
            A server of your organization at {hostOf(entry)}.
          </PageHead>
        </div>
      </div>
      <State entry={entry} />
      <RemoteFacts entry={entry} />
      {may.manage_connectors && <ChangesSection entry={entry} />}
      <CredentialSection entry={entry} />
      <RemoteTools entry={entry} />
      {may.manage_connectors && <RejectedTools entry={entry} />}
    </div>
  )
}

/** Why not all tools can be called, unless the section about the credential says it. */
function State({ entry }: { entry: RemoteConnectorRead }) {
  const { next_step, warning, credential } = entry.remote
  const waits = credential?.connected === false || entry.status === 'needs_reauth'
  return (
    <>
      {next_step !== undefined && !waits && (
        <Notice kind="warn" title="Some tools of this server cannot be called.">
          {next_step}
        </Notice>
      )}
      {warning !== undefined && <Notice kind="warn">{warning}</Notice>}
    </>
  )
}

function RemoteFacts({ entry }: { entry: RemoteConnectorRead }) {
  const { nameOf } = usePeople()
  const { remote } = entry
  return (
    <Facts
      facts={[
        ['State', needsOwn(entry) ? 'Not connected' : <ConnectorState key="state" entry={entry} />],
        ['URL', <code key="url">{remote.upstream_url}</code>],
        ['Authentication', MODES[remote.auth_mode].label],
        ...(remote.credential === undefined || remote.auth_mode === 'assertion'
          ? []
          : [['Credential', isPerMember(entry) ? 'Each member’s own' : 'One for the organization'] as const]),
        [
          'Tools',
          remote.snapshot_fetched_at === null ? (
            'Not known yet'
          ) : (
            <span key="tools">
              {remote.tool_count}, read <Time at={remote.snapshot_fetched_at} />
            </span>
          ),
        ],
        ...countOf('Resources', [...(remote.resources ?? []), ...(remote.resource_templates ?? [])]),
        ...countOf('Prompts', remote.prompts ?? []),
        ...(remote.header_names === undefined ? [] : [['Other headers', remote.header_names.join(', ')] as const]),
        [
          'Changes',
          remote.refresh === 'harmless' ? 'Harmless changes go live automatically' : 'An admin accepts each change',
        ],
        [
          'Registered',
          <span key="by">
            by {withinSentence(nameOf(remote.created_by_user_id))}, <Time at={remote.created_at} />
          </span>,
        ],
      ]}
    />
  )
}

/** A row with the number of items, or no row for an empty list. */
const countOf = (name: string, all: readonly unknown[]) => (all.length === 0 ? [] : [[name, all.length] as const])

const needsOwn = (entry: RemoteConnectorRead) => isPerMember(entry) && !entry.remote.credential?.connected

function RejectedTools({ entry }: { entry: RemoteConnectorRead }) {
  const { set_aside: rejected = [], set_aside_count: count = 0 } = entry.remote
  if (count === 0) return null
  return (
    <Section
      title="Rejected tools"
      text={`The gateway cannot serve ${count === 1 ? 'one tool' : `${count} tools`} of this server.${
        count > rejected.length ? ` The first ${rejected.length}:` : ''
      }`}
    >
      <ul className="lines">
        {rejected.map(({ original_name, reason }) => (
          <li key={original_name}>
            <div>
              <code>{original_name}</code>
              <span className="under small">{reason}</span>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The tools that the server offers now and that wait for an admin: what changed, what of it is risky, and to accept it. */
function ChangesSection({ entry }: { entry: RemoteConnectorRead }) {
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
          Found <Time at={pending.fetched_at} />, kept until {formatDate(pending.expires_at)}. Clients do not see these
          changes until you accept them.
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
          Accept exactly these changes
        </Button>
        {risky > 0 && (
          <span className="muted small">
            Models read the descriptions, so a changed description can be an attempt to steer them.
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
    kind: 'Renamed',
    name: to,
    risky,
    whole: undefined,
    changes: [{ what: 'name', risky, detail: `The old name is ${from}. Calls with the old name fail.` }],
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
        <Disclosure title={kind === 'New' ? 'Full definition' : 'Current definition'}>
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
