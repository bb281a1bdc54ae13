import { Link, useLocation } from 'wouter'
import type { SessionView } from '../../../schemas/dashboard.ts'
import { useSession } from '../lib/session.ts'
import { Icon, type IconName } from './icon.tsx'

interface Entry {
  href: string
  label: string
  icon: IconName
  /** Whether the user may open the page; everybody if absent. */
  may?: (session: SessionView) => boolean
  /** Other pages below the entry. */
  also?: readonly string[]
}

/** The built pages, in groups. A page that is not built is not here. */
const GROUPS: readonly { label: string; entries: readonly Entry[] }[] = [
  {
    label: 'Work',
    entries: [
      { href: '/', label: 'Start', icon: 'house' },
      { href: '/connectors', label: 'Connectors', icon: 'plug', also: ['/connect', '/accounts'] },
      { href: '/tools', label: 'Tools', icon: 'wrench' },
      { href: '/calls', label: 'Calls', icon: 'activity', also: ['/audit'] },
    ],
  },
  {
    label: 'Access',
    entries: [
      { href: '/clients', label: 'Clients', icon: 'laptop' },
      { href: '/keys', label: 'API keys', icon: 'key-round' },
      { href: '/agents', label: 'Agents', icon: 'bot' },
    ],
  },
  {
    label: 'Organization',
    entries: [
      { href: '/members', label: 'Members', icon: 'users' },
      { href: '/billing', label: 'Billing', icon: 'wallet', may: ({ may }) => may.manage_money },
    ],
  },
]

/** The links to the pages that the user may open. */
export function Navigation() {
  const session = useSession()
  const [path] = useLocation()
  return (
    <nav className="nav" aria-label="Pages">
      {GROUPS.map(({ label, entries }) => (
        <div key={label} className="nav-group">
          <div className="nav-label">{label}</div>
          {entries
            .filter(({ may }) => may === undefined || may(session))
            .map(({ href, label, icon, also = [] }) => (
              <Link
                key={href}
                href={href}
                className="nav-link"
                aria-current={[href, ...also].some(href => isBelow(path, href)) ? 'page' : undefined}
              >
                <Icon name={icon} />
                {label}
              </Link>
            ))}
        </div>
      ))}
    </nav>
  )
}

function isBelow(path: string, href: string): boolean {
  return path === href || (href !== '/' && path.startsWith(`${href}/`))
}
