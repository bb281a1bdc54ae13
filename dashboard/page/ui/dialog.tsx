import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, useId, useRef } from 'react'
import { Button, IconButton } from './button.tsx'
import { Form } from './field.tsx'
import { ErrorPanel } from './states.tsx'

interface DialogProps {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** Whether a click outside closes it. Not for a form or a secret. */
  light?: boolean
}

/** A modal dialog. */
export function Dialog({ open, onClose, title, children, light = false }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  // The first field rather than the button that closes. By touch neither: a field would open the keyboard of the screen.
  const firstFocus = (type: string) =>
    type === 'touch' ? popup.current : (popup.current?.querySelector<HTMLElement>('form input, form button') ?? true)
  return (
    <Base.Root open={open} onOpenChange={next => next || onClose()} disablePointerDismissal={!light}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className="dialog" ref={popup} initialFocus={firstFocus}>
          <header className="dialog-head">
            <Base.Title className="dialog-title">{title}</Base.Title>
            <Base.Close render={<IconButton icon="x" label="Close" />} />
          </header>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

interface FormDialogProps extends Pick<DialogProps, 'onClose' | 'title' | 'children'> {
  /** False keeps it closed where it is not simply left out. */
  open?: boolean
  submit: string
  danger?: boolean
  /** What the form does: its button is busy meanwhile, and an error of it stays in view. */
  action: { isPending: boolean; error: Error | null }
  /** Whether the browser is leaving the page after the action. */
  leaving?: boolean
  onSubmit: () => void
}

/** A dialog with a form, whose button sends it. */
export function FormDialog(props: FormDialogProps) {
  const { open = true, onClose, title, children, submit, danger = false, action, leaving = false, onSubmit } = props
  const id = useId()
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <Form id={id} onSubmit={onSubmit} error={action.error} className="dialog-body stack">
        {children}
        {action.error && <ErrorPanel error={action.error} />}
      </Form>
      <footer className="dialog-foot">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind={danger ? 'danger' : 'primary'} type="submit" form={id} busy={action.isPending || leaving}>
          {submit}
        </Button>
      </footer>
    </Dialog>
  )
}
