import { useSession } from '../../lib/session.ts'
import { PageTabs } from '../../ui/page-tabs.tsx'

/** The tabs of what happened: calls of tools, and changes. */
export function ActivityTabs() {
  const { role } = useSession()
  return (
    <PageTabs
      label="What happened"
      pages={[
        { href: '/calls', label: 'Calls of tools' },
        { href: '/audit', label: role === 'member' ? 'Your changes' : 'Changes' },
      ]}
    />
  )
}
