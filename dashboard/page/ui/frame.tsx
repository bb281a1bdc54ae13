import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { request } from '../lib/api.ts'
import { capitalize } from '../lib/format.ts'
import { changeOrganization } from '../lib/outdated.ts'
import { useAction } from '../lib/queries.ts'
import { endSession, useSession } from '../lib/session.ts'
import { readTheme, setTheme, type Theme } from '../lib/theme.ts'
import { IconButton } from './button.tsx'
import { type PageEntry, useCurrentPage } from './current-page.ts'
import { Icon, Mark } from './icon.tsx'
import { Menu, MenuChoice, MenuItem, MenuLine } from './menu.tsx'
import { toast } from './toast.tsx'

/** The frame of all pages: navigation to `pages` at the side, on a phone in a drawer. */
export default function Frame({ pages, children }: { pages: readonly PageEntry[]; children: ReactNode }) {
  const [path] = useLocation()
  const main = useRef<HTMLElement>(null)
  const first = useRef(true)
  const [open, setOpen] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the path is what it waits for
  useEffect(() => {
    setOpen(false)
    if (!first.current) main.current?.focus({ preventScroll: true })
    first.current = false
    window.scrollTo(0, 0)
  }, [path])

  return (
    <div className="frame">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <aside className="side">
        <OrganizationSwitch />
        <Navigation pages={pages} />
        <AccountMenu />
      </aside>
      <header className="top">
        <OrganizationSwitch />
        <Dialog.Root open={open} onOpenChange={setOpen}>
          <Dialog.Trigger render={<IconButton icon="menu" label="Menu" />} />
          <Dialog.Portal>
            <Dialog.Backdrop className="backdrop" />
            <Dialog.Popup className="drawer">
              <Dialog.Title className="hidden">Menu</Dialog.Title>
              <div className="drawer-head">
                <Dialog.Close render={<IconButton icon="x" label="Close" />} />
              </div>
              <Navigation pages={pages} />
              <AccountMenu />
            </Dialog.Popup>
          </Dialog.Portal>
        </Dialog.Root>
      </header>
      <main id="main" className="main" ref={main} tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

/** The links to those of `pages` that the user may open. */
function Navigation({ pages }: { pages: readonly PageEntry[] }) {
  const session = useSession()
  const [location] = useLocation()
  const { within = location } = useCurrentPage()
  const groups = Map.groupBy(
    pages.flatMap(({ path, title, navigation }) => (navigation ? [{ path, title, ...navigation }] : [])),
    ({ group }) => group,
  )
  return (
    <nav className="nav" aria-label="Pages">
      {Array.from(groups, ([group, links]) => (
        <div key={group} className="nav-group">
          <div className="nav-label">{group}</div>
          {links
            .filter(({ may }) => may === undefined || may(session))
            .map(({ path, title, icon }) => (
              <Link
                key={path}
                href={path}
                className="nav-link"
                aria-current={isBelow(within, path) ? 'page' : undefined}
              >
                <Icon name={icon} />
                {title}
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

const THEMES = [
  { value: 'system', label: 'Same as the system', icon: 'monitor' },
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
] as const

/** The user's own menu: sessions, light or dark, sign out. */
function AccountMenu() {
  const { user, role } = useSession()
  const [, navigate] = useLocation()
  const [theme, choose] = useState(readTheme)
  const name = user.email ?? user.id
  return (
    <Menu
      align="start"
      side="top"
      trigger={
        <button type="button" className="account">
          <span className="avatar">{name.slice(0, 1).toUpperCase()}</span>
          <span className="account-text">
            <span className="truncate">{name}</span>
            {role !== null && <span className="account-role">{role}</span>}
          </span>
          <Icon name="chevrons-up-down" size={14} />
        </button>
      }
    >
      <MenuItem icon="laptop" onClick={() => navigate('/sessions')}>
        Your sessions
      </MenuItem>
      <MenuLine />
      <MenuChoice<Theme>
        label="Appearance"
        value={theme}
        options={THEMES}
        onChange={next => {
          setTheme(next)
          choose(next)
        }}
      />
      <MenuLine />
      <MenuItem
        icon="log-out"
        onClick={() => endSession({ everywhere: false }).catch(error => toast(error.message, 'bad'))}
      >
        Sign out
      </MenuItem>
    </Menu>
  )
}

/** The name of the organization, and a menu of the others. */
function OrganizationSwitch() {
  const { organization, organizations } = useSession()
  const choose = useAction({
    run: (id: string) =>
      changeOrganization(() =>
        request('PATCH', '/api/me', { body: { active_organization_id: id }, changesSession: true }),
      ),
    changes: [],
  })
  const label = (
    <>
      <Mark size={26} />
      <span className="organization-name truncate">{organization?.name}</span>
    </>
  )
  if (organizations.length < 2) return <div className="organization">{label}</div>
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="organization" disabled={choose.isPending}>
          {label}
          <Icon name="chevrons-up-down" size={14} />
        </button>
      }
    >
      <MenuChoice
        label="Organization"
        value={organization?.id ?? ''}
        options={organizations.map(({ id, name, role }) => ({ value: id, label: name, hint: capitalize(role) }))}
        onChange={id => choose.mutate(id, { onError: error => toast(error.message, 'bad') })}
      />
    </Menu>
  )
}
