import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

interface Tab {
  value: string
  label: string
  content: ReactNode
}

/** Tabs over their content. */
export function Tabs({
  label,
  value,
  onChange,
  tabs,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  tabs: readonly Tab[]
}) {
  return (
    <Base.Root value={value} onValueChange={next => onChange(String(next))} className="stack">
      <Base.List className="tabs" aria-label={label}>
        {tabs.map(tab => (
          <Base.Tab key={tab.value} value={tab.value} className="tab">
            {tab.label}
          </Base.Tab>
        ))}
        <Base.Indicator className="tab-indicator" />
      </Base.List>
      {tabs.map(tab => (
        <Base.Panel key={tab.value} value={tab.value} tabIndex={-1}>
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
