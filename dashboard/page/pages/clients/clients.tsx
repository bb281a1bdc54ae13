import { useState } from 'react'
import { PageHead, Section } from '../../ui/layout.tsx'
import { ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { CLIENT_KINDS, ClientForms, ClientSelect, KeyButton, useClients } from '../start/client-setup.tsx'
import { ClientWatch, useClientWatch } from '../start/client-watch.tsx'
import './clients.css'

/** The page of the MCP clients: how each one connects, and whether it just did. */
export default function Clients() {
  // The clocks of the browser and the server may differ.
  const [since] = useState(() => Date.now() - 3_000)
  const { error, ...watched } = useClientWatch(since)
  const [secret, setSecret] = useState<string>()
  return (
    <div className="stack">
      <PageHead action={<KeyButton primary onSecret={setSecret} />}>
        Connect an MCP client, a program or a command-line tool to the gateway. Each one acts as you, with your
        accounts.
      </PageHead>
      {error ? <ErrorPanel error={error} /> : <ClientWatch {...watched} />}
      <ClientChoice secret={secret} />
    </div>
  )
}

function ClientChoice({ secret }: { secret: string | undefined }) {
  const { clients, client, choose, error, refetch } = useClients()
  if (error) return <ErrorPanel error={error} onRetry={refetch} />
  if (clients === undefined || client === undefined) return <Skeleton />
  const kinds = [...new Set(clients.map(({ kind }) => kind))]
  return (
    <div className="clients">
      <nav className="card client-list" aria-label="Clients">
        {kinds.map(kind => (
          <div key={kind}>
            <div className="nav-label">{CLIENT_KINDS[kind]}</div>
            {clients
              .filter(entry => entry.kind === kind)
              .map(({ id, name }) => (
                <button
                  key={id}
                  type="button"
                  className="client"
                  aria-current={id === client.id ? 'true' : undefined}
                  onClick={() => choose(id)}
                >
                  {name}
                </button>
              ))}
          </div>
        ))}
      </nav>
      <Section title={client.name}>
        <div className="client-narrow">
          <ClientSelect clients={clients} client={client} choose={choose} />
        </div>
        <ClientForms key={client.id} client={client} secret={secret} />
      </Section>
    </div>
  )
}
