import { Toast } from '@base-ui/react/toast'
import { useEffect } from 'react'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'

/** What a toast says. */
export interface Message {
  title: string
  kind: 'good' | 'warn' | 'bad'
}

const ICONS = { good: 'circle-check', warn: 'triangle-alert', bad: 'circle-alert' } as const

/** Shows messages as toasts, and says when it has taken them. */
export default function ToastList(props: { messages: readonly Message[]; onShown: () => void }) {
  return (
    <Toast.Provider limit={3}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <List {...props} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function List({ messages, onShown }: { messages: readonly Message[]; onShown: () => void }) {
  const { toasts, add } = Toast.useToastManager()
  useEffect(() => {
    if (messages.length === 0) return
    for (const { title, kind } of messages)
      add({
        title,
        type: kind,
        timeout: kind === 'good' ? 4_000 : 10_000,
        priority: kind === 'bad' ? 'high' : 'low',
      })
    onShown()
  }, [messages, add, onShown])
  return toasts.map(entry => (
    <Toast.Root key={entry.id} toast={entry} className={`toast toast-${entry.type}`} swipeDirection={['right', 'down']}>
      <Icon name={ICONS[entry.type as keyof typeof ICONS]} />
      <Toast.Title className="toast-title" />
      <Toast.Close render={<IconButton icon="x" label="Dismiss" />} />
    </Toast.Root>
  ))
}
