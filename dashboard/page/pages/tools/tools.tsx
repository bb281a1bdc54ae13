import { useState } from 'react'
import type { ConnectorEntry } from '../../../../schemas/connectors/connector.ts'
import { isRemote, useAccounts } from '../../lib/connectors.ts'
import { capabilityOf, type Tool, useTools } from '../../lib/mcp.ts'
import { useGet } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { SearchField } from '../../ui/field.tsx'
import { Card, Facts, PageHead, Section } from '../../ui/layout.tsx'
import { Empty, ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { ToolTable } from '../connectors/tool-table.tsx'

interface Switches {
  off: { capability: string }[]
  not_configured: { what: string; variables: string }[]
}

/** The page of all tools that the user can call, by connector and family. */
export default function Tools() {
  const { data: tools, error, refetch } = useTools()
  const { query } = useAccounts()
  const { data: switches } = useGet<Switches>('/api/capabilities')
  const [text, setText] = useState('')
  const words = text.toLowerCase().split(/\s+/)
  const matching = ({ name, title = '', description = '' }: Pick<Tool, 'name' | 'title' | 'description'>) =>
    words.every(word => `${name} ${title} ${description}`.toLowerCase().includes(word))
  const found = tools?.filter(matching)
  // What is switched off is listed by name only: the gateway no longer describes it.
  const hidden = switches?.off.map(({ capability }) => ({ name: capability })).filter(matching) ?? []
  const capabilities = [...new Set([...(found ?? []), ...hidden].map(({ name }) => capabilityOf(name)))]
  // Tools that act in the world come before those that manage the gateway.
  capabilities.sort((a, b) => Number(a === 'manage') - Number(b === 'manage'))
  const nameOf = (capability: string) => nameAmong(query.data?.connectors ?? [], capability)
  return (
    <>
      <PageHead action={<SearchField label="Search tools" value={text} onChange={setText} />}>
        What your clients can call now. Open a tool to try it, or switch it off.
      </PageHead>
      {error && <ErrorPanel error={error} onRetry={refetch} />}
      {tools === undefined && !error && (
        <Card>
          <Skeleton lines={8} />
        </Card>
      )}
      {found?.length === 0 && capabilities.length === 0 && (
        <Card>
          <Empty icon="wrench" title="No tool found" action={<ButtonLink href="/connectors">Connectors</ButtonLink>}>
            Search for another word, or connect an account to get its tools.
          </Empty>
        </Card>
      )}
      <div className="stack">
        {capabilities.map(capability => (
          <section key={capability} className="stack">
            <h2 className="section-title">{nameOf(capability)}</h2>
            <ToolTable capability={capability} name={nameOf(capability)} matching={matching} />
          </section>
        ))}
        {text === '' && <NotConfigured missing={switches?.not_configured ?? []} />}
      </div>
    </>
  )
}

/** Shows admins what the operator of the gateway could add. */
function NotConfigured({ missing }: { missing: Switches['not_configured'] }) {
  if (missing.length === 0) return null
  return (
    <Section title="Not configured" text="The operator of this gateway can add these by setting environment variables.">
      <Facts facts={missing.map(({ what, variables }) => [what, <code key={what}>{variables}</code>])} />
    </Section>
  )
}

const FAMILIES: Readonly<Record<string, string>> = {
  files: 'Files',
  manage: 'Manage the gateway',
  media: 'Media',
  memory: 'Memory',
  social: 'Social networks',
  web: 'Web',
}

function nameAmong(connectors: readonly ConnectorEntry[], capability: string): string {
  const id = capability.replace(/^org__/, '')
  const connector = connectors.find(entry => entry.id === id && isRemote(entry) === capability.startsWith('org__'))
  return connector?.name ?? FAMILIES[capability] ?? capability
}
