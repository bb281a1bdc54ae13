import { Switch } from '@base-ui/react/switch'
import { type ReactNode, useId } from 'react'

interface ToggleProps {
  label: string
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

/** A switch with its label. */
export function Toggle({ label, hint, checked, onChange, disabled = false }: ToggleProps) {
  const id = useId()
  return (
    <div className="toggle">
      <Switch.Root
        className="switch"
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        aria-labelledby={id}
        aria-describedby={`${id}-hint`}
      >
        <Switch.Thumb className="switch-thumb" />
      </Switch.Root>
      <div>
        <div id={id} className="field-label">
          {label}
        </div>
        <div id={`${id}-hint`} className="field-hint">
          {hint}
        </div>
      </div>
    </div>
  )
}

/** A switch in a row, whose label is only read aloud. */
export function BareSwitch({ label, checked, onChange, disabled = false }: Omit<ToggleProps, 'hint'>) {
  return (
    <Switch.Root className="switch" checked={checked} onCheckedChange={onChange} disabled={disabled} aria-label={label}>
      <Switch.Thumb className="switch-thumb" />
    </Switch.Root>
  )
}
