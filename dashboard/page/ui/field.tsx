import { Field } from '@base-ui/react/field'
import type { ComponentProps, ReactNode } from 'react'

interface FieldProps {
  label: string
  hint?: ReactNode
  /** What is wrong with the value. */
  problem?: string | undefined
  children: ReactNode
}

/** A labeled form field around a control of Base UI. */
export function FormField({ label, hint, problem, children }: FieldProps) {
  return (
    <Field.Root className="field" invalid={problem !== undefined}>
      <Field.Label className="field-label">{label}</Field.Label>
      {children}
      {hint !== undefined && <Field.Description className="field-hint">{hint}</Field.Description>}
      {problem !== undefined && (
        <Field.Error match className="field-problem">
          {problem}
        </Field.Error>
      )}
    </Field.Root>
  )
}

type TextFieldProps = Omit<FieldProps, 'children'> & {
  value: string
  onChange: (value: string) => void
  /** A sign before the text, such as `$`. */
  before?: string
} & Omit<ComponentProps<typeof Field.Control>, 'value' | 'onChange' | 'className' | 'render'>

/** A field for a line of text. */
export function TextField({ label, hint, problem, value, onChange, before, ...rest }: TextFieldProps) {
  return (
    <FormField label={label} hint={hint} problem={problem}>
      <span className="input">
        {before !== undefined && <span className="input-before">{before}</span>}
        <Field.Control autoComplete="off" spellCheck={false} {...rest} value={value} onValueChange={onChange} />
      </span>
    </FormField>
  )
}
