import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { ApiError } from '../lib/api.ts'
import { remedyIn } from '../lib/outcomes.ts'
import { Button, buttonClass } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'

/** What a list without rows shows: what it is for and what to do next. */
export function Empty(props: { icon: IconName; title: string; children?: ReactNode; action?: ReactNode }) {
  const { icon, title, children, action } = props
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon name={icon} size={22} />
      </span>
      <h2 className="empty-title">{title}</h2>
      {children !== undefined && <p className="empty-text">{children}</p>}
      {action}
    </div>
  )
}

/** A message in a box, with what it concerns. */
export function Notice(props: { kind: 'info' | 'good' | 'warn' | 'bad'; title?: string; children: ReactNode }) {
  const { kind, title, children } = props
  const icon = ({ info: 'info', good: 'circle-check', warn: 'triangle-alert', bad: 'circle-alert' } as const)[kind]
  return (
    <div className={`notice notice-${kind}`} role={kind === 'bad' ? 'alert' : 'note'}>
      <Icon name={icon} />
      <div className="notice-text">
        {title !== undefined && <strong>{title}</strong>}
        <div>{children}</div>
      </div>
    </div>
  )
}

/** The gateway's message about what failed, with a button to try again where that can help. */
export function ErrorPanel({ error, onRetry }: { error: Error; onRetry?: () => unknown }) {
  const hopeless = error instanceof ApiError && error.status >= 400 && error.status < 429
  const ended = error instanceof ApiError && error.code === 'session_ended'
  const remedy = remedyIn(error.message)
  return (
    <Notice kind="bad">
      {error.message}
      {remedy && (
        <div className="notice-action">
          <Link href={remedy.href} className={buttonClass({ size: 'small' })}>
            {remedy.label}
          </Link>
        </div>
      )}
      {ended && (
        <div className="notice-action">
          <a href="/sign-in" target="_blank" rel="noreferrer" className={buttonClass({ size: 'small' })}>
            Sign in in a new tab
          </a>
        </div>
      )}
      {onRetry && !hopeless && (
        <div className="notice-action">
          <Button size="small" icon="rotate-cw" onClick={() => onRetry()}>
            Try again
          </Button>
        </div>
      )}
    </Notice>
  )
}

/** Gray lines in place of an answer. They appear only after half a second. */
export function Skeleton({ lines = 4, label = 'Loading' }: { lines?: number; label?: string }) {
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same
        <div key={line} className="skeleton-line" />
      ))}
    </div>
  )
}
