import { Field } from '@base-ui/react/field'
import type { ReactNode } from 'react'
import { FormField } from './field.tsx'

interface TextAreaProps {
  label: string
  value: string
  onChange: (value: string) => void
  hint?: ReactNode
  problem?: string | undefined
  rows?: number
  /** Whether it is code. */
  code?: boolean
}

/** A field for several lines of text. */
export function TextArea({ label, value, onChange, hint, problem, rows = 3, code = false }: TextAreaProps) {
  return (
    <FormField label={label} hint={hint} problem={problem}>
      <span className="input">
        <Field.Control
          render={<textarea rows={rows} spellCheck={false} className={code ? 'mono' : undefined} />}
          value={value}
          onValueChange={onChange}
        />
      </span>
    </FormField>
  )
}
