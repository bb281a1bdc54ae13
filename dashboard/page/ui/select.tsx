import { Select as Base } from '@base-ui/react/select'
import type { ReactNode } from 'react'
import { FormField } from './field.tsx'
import { Icon } from './icon.tsx'

/** One of the values of a select. */
interface Option<Value extends string> {
  value: Value
  label: string
  hint?: string
}

interface SelectProps<Value extends string> {
  label: string
  value: Value
  options: readonly Option<Value>[]
  onChange: (value: Value) => void
  disabled?: boolean
}

/** A select without a visible label, for rows and toolbars. */
export function Select<Value extends string>({
  label,
  value,
  options,
  onChange,
  disabled = false,
}: SelectProps<Value>) {
  return (
    <Base.Root
      items={options}
      value={value}
      disabled={disabled}
      onValueChange={chosen => {
        if (chosen !== null) onChange(chosen)
      }}
    >
      <Base.Trigger className="select" aria-label={label}>
        <span className="truncate">
          <Base.Value />
        </span>
        <Icon name="chevrons-up-down" size={14} />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="positioner" sideOffset={4} alignItemWithTrigger={false}>
          <Base.Popup className="menu">
            <Base.List>
              {options.map(option => (
                <Base.Item key={option.value} value={option.value} className="menu-item menu-choice">
                  <span>
                    <Base.ItemText>{option.label}</Base.ItemText>
                    {option.hint !== undefined && <span className="menu-hint">{option.hint}</span>}
                  </span>
                  <Base.ItemIndicator>
                    <Icon name="check" />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** A select in a form. */
export function SelectField<Value extends string>({
  hint,
  problem,
  ...rest
}: SelectProps<Value> & { hint?: ReactNode; problem?: string | undefined }) {
  return (
    <FormField label={rest.label} hint={hint} problem={problem}>
      <Select {...rest} />
    </FormField>
  )
}
