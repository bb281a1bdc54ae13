import { useParams } from 'wouter'
import type { RemoteConnectorRead } from '../../../../schemas/remote.ts'
import { usePeople, withinSentence } from '../../lib/people.ts'
import { hostOf, isPerMember, useRemote } from '../../lib/remotes.ts'
import { useSession } from '../../lib/session.ts'
import { ConnectorIcon } from '../../ui/connector-icon.tsx'
import { BackLink, Card, Facts, PageHead, Section } from '../../ui/layout.tsx'
import { ErrorPanel, Notice, Skeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import '../connectors/connector.css'
import { ConnectorState } from '../connectors/connector-state.tsx'
import { MODES } from './auth-fields.tsx'
import { ChangesSection } from './changes-section.tsx'
import { CredentialSection } from './credential-section.tsx'
import { RemoteActions } from './remote-actions.tsx'
import { RemoteTools } from './remote-tools.tsx'

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
        <Notice kind="warn" title="Not all of its tools can be called.">
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
        ['Changes', remote.refresh === 'harmless' ? 'Harmless ones go live by themselves' : 'An admin accepts each'],
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
