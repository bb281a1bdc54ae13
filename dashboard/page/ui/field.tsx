import { Field } from '@base-ui/react/field'
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { Icon } from './icon.tsx'

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

interface SearchFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
}

/** A field that filters what is shown. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  return (
    <label className="input search">
      <span className="input-before">
        <Icon name="search" />
      </span>
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={event => onChange(event.target.value)}
      />
    </label>
  )
}

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit' | 'ref'> {
  /** Checks the fields, and sends what is valid. */
  onSubmit: () => void
  /** Why the gateway refused what was sent: it may be about a field. */
  error?: Error | null
}

/** A form. If it is refused, the focus moves to the first field with a problem, which may be out of sight. */
export function Form({ onSubmit, error = null, className = 'stack', ...rest }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error !== null) focusProblem(form.current)
  }, [error])
  function submit(event: FormEvent) {
    event.preventDefault()
    onSubmit()
    focusProblem(form.current)
  }
  return <form noValidate {...rest} ref={form} onSubmit={submit} className={className} />
}

/** Waits for the page to show the problems. */
function focusProblem(form: HTMLFormElement | null): void {
  requestAnimationFrame(() =>
    form?.querySelector<HTMLElement>('[aria-invalid="true"], .field[data-invalid] button')?.focus(),
  )
}
