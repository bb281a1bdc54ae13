import { lazy, Suspense, useSyncExternalStore } from 'react'
import type { Message } from './toast-list.tsx'

/** The messages that are not shown yet. Replaced at each change, so that React sees it. */
let messages: readonly Message[] = []
const listeners = new Set<() => void>()

function change(next: readonly Message[]): void {
  messages = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Says briefly that an action is done, or why it failed. */
export function toast(title: string, kind: Message['kind'] = 'good'): void {
  change([...messages, { title, kind }])
}

const ToastList = lazy(() => import('./toast-list.tsx'))
let wanted = false

/** Where toasts appear. They are loaded with the first one, since few pages begin with one. */
export function Toasts() {
  const waiting = useSyncExternalStore(subscribe, () => messages)
  wanted ||= waiting.length > 0
  if (!wanted) return null
  return (
    <Suspense>
      <ToastList messages={waiting} onShown={() => change([])} />
    </Suspense>
  )
}
