import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'wouter'
import { Icon, type IconName } from './icon.tsx'

interface Look {
  kind?: 'primary' | 'plain' | 'quiet' | 'danger'
  size?: 'small' | 'normal'
  icon?: IconName
  /** Shows that the action is under way, and stops a second one. */
  busy?: boolean
}

/** The class of a button's look. */
export function buttonClass({ kind = 'plain', size = 'normal' }: Look = {}): string {
  return `button button-${kind} button-${size}`
}

/** A button. */
export function Button({
  kind,
  size,
  icon,
  busy = false,
  children,
  disabled = false,
  type = 'button',
  ...rest
}: Look & Omit<ComponentProps<'button'>, 'className'>) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled || busy}
      aria-busy={busy}
      className={buttonClass({ ...(kind && { kind }), ...(size && { size }) })}
    >
      {busy ? <span className="spinner" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** A link to another page of the dashboard that looks like a button. */
export function ButtonLink({ href, icon, children, ...look }: Look & { href: string; children: ReactNode }) {
  return (
    <Link href={href} className={buttonClass(look)}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  )
}

/** A button that is only an icon. Its label is read aloud and shown as a hint. */
export function IconButton({ icon, label, ...rest }: { icon: IconName; label: string } & ComponentProps<'button'>) {
  return (
    <button type="button" {...rest} aria-label={label} title={label} className="icon-button">
      <Icon name={icon} />
    </button>
  )
}
