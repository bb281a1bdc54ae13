import { Checkbox } from '@base-ui/react/checkbox'
import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { Switch } from '@base-ui/react/switch'
import { type ReactNode, useId } from 'react'
import { Icon } from './icon.tsx'

interface ChoiceProps<Value extends string> {
  label: string
  value: Value
  options: readonly { value: Value; label: string; hint?: ReactNode; disabled?: boolean }[]
  onChange: (value: Value) => void
}

/** One of a few choices, each with what it means. */
export function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  const id = useId()
  return (
    <div className="field">
      <div id={id} className="field-label">
        {label}
      </div>
      <RadioGroup value={value} onValueChange={next => onChange(next)} aria-labelledby={id} className="choices">
        {options.map(option => (
          // biome-ignore lint/a11y/noLabelWithoutControl: Base UI puts the control into the label
          <label key={option.value} className="choice">
            <Radio.Root value={option.value} disabled={option.disabled ?? false} className="radio">
              <Radio.Indicator className="radio-dot" />
            </Radio.Root>
            <span>
              <span className="choice-label">{option.label}</span>
              {option.hint !== undefined && <span className="choice-hint">{option.hint}</span>}
            </span>
          </label>
        ))}
      </RadioGroup>
    </div>
  )
}

interface CheckProps {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  /** Without it the box is locked. */
  onChange?: (checked: boolean) => void
}

/** A checkbox with its label. */
export function Check({ label, hint, checked, onChange }: CheckProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: Base UI puts the control into the label
    <label className="choice">
      <Checkbox.Root
        checked={checked}
        onCheckedChange={next => onChange?.(next)}
        disabled={onChange === undefined}
        className="checkbox"
      >
        <Checkbox.Indicator>
          <Icon name="check" size={13} />
        </Checkbox.Indicator>
      </Checkbox.Root>
      <span>
        <span className="choice-label">{label}</span>
        {hint !== undefined && <span className="choice-hint">{hint}</span>}
      </span>
    </label>
  )
}

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
