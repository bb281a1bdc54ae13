import { useState } from 'react'
import { useLocation } from 'wouter'
import { request } from '../lib/api.ts'
import { capitalize } from '../lib/format.ts'
import { changeOrganization } from '../lib/outdated.ts'
import { useAction } from '../lib/queries.ts'
import { useSession } from '../lib/session.ts'
import { endSession } from '../lib/sign-out.ts'
import { readTheme, setTheme, type Theme } from '../lib/theme.ts'
import { Icon, Mark } from './icon.tsx'
import { Menu, MenuChoice, MenuItem, MenuLine } from './menu.tsx'
import { toast } from './toast.tsx'

const THEMES = [
  { value: 'system', label: 'Like the system', icon: 'monitor' },
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
] as const

/** The user's own menu: sessions, light or dark, sign out. */
export function AccountMenu() {
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
export function OrganizationSwitch() {
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
