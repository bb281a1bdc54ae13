import { Toast } from '@base-ui/react/toast'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'

const manager = Toast.createToastManager()

/** Says briefly that an action is done, or why it failed. */
export function toast(title: string, kind: 'good' | 'bad' = 'good'): void {
  manager.add({
    title,
    type: kind,
    timeout: kind === 'bad' ? 10_000 : 4_000,
    priority: kind === 'bad' ? 'high' : 'low',
  })
}

/** Where toasts appear. */
export function Toasts() {
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function List() {
  const { toasts } = Toast.useToastManager()
  return toasts.map(entry => (
    <Toast.Root key={entry.id} toast={entry} className={`toast toast-${entry.type}`} swipeDirection={['right', 'down']}>
      <Icon name={entry.type === 'bad' ? 'circle-alert' : 'circle-check'} />
      <Toast.Title className="toast-title" />
      <Toast.Close render={<IconButton icon="x" label="Dismiss" />} />
    </Toast.Root>
  ))
}
