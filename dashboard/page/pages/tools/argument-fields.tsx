import { useState } from 'react'
import type { ArgumentSchema, InputSchema } from '../../lib/mcp.ts'
import { ArgumentField } from './argument-field.tsx'
import { kindOf, plainOf, type Texts } from './arguments.ts'

interface ArgumentFieldsProps {
  schema: InputSchema
  texts: Texts
  problems: Readonly<Record<string, string>>
  onChange: (path: string, text: string) => void
  /** The path of the object whose arguments these are. */
  above?: string
}

/** More optional arguments than these are out of the way at first. */
const FEW = 3

/** The fields of the arguments of a tool, or of an object among them: the account first, then required ones. */
export function ArgumentFields({ above = '', ...props }: ArgumentFieldsProps) {
  const { schema } = props
  const fields = Object.entries(schema.properties ?? {})
    .map(([name, property]) => ({ name, property, required: schema.required?.includes(name) ?? false }))
    .sort((a, b) => rankOf(b, above) - rankOf(a, above))
  const optional = fields.filter(({ required }) => !required)
  if (above !== '' || optional.length <= FEW) return <Fields {...props} above={above} fields={fields} />
  return (
    <>
      <Fields {...props} above={above} fields={fields.filter(({ required }) => required)} />
      <OptionalFields {...props} above={above} fields={optional} />
    </>
  )
}

type FieldsProps = ArgumentFieldsProps & {
  above: string
  fields: readonly { name: string; property: ArgumentSchema; required: boolean }[]
}

/** Optional arguments, which open if one of them has a value or a problem. */
function OptionalFields(props: FieldsProps) {
  const { fields, texts, problems } = props
  const isAmong = (path: string) => fields.some(({ name }) => path.split('/')[0] === name)
  const [open, setOpen] = useState(() => Object.keys(texts).some(path => isAmong(path) && texts[path] !== ''))
  return (
    <details
      className="more-arguments"
      open={open || Object.keys(problems).some(isAmong)}
      onToggle={event => setOpen(event.currentTarget.open)}
    >
      <summary>{fields.length} optional arguments</summary>
      <div className="stack">
        <Fields {...props} />
      </div>
    </details>
  )
}

function Fields({ fields, texts, problems, onChange, above }: FieldsProps) {
  return fields.map(({ name, property, required }) => {
    const path = above + name
    if (kindOf(property, path) === 'group')
      return (
        <fieldset key={name} className="argument-group">
          <legend className="field-label">{required ? name : `${name} (optional)`}</legend>
          {property.description !== undefined && <p className="field-hint">{property.description}</p>}
          <ArgumentFields
            schema={plainOf(property)}
            texts={texts}
            problems={problems}
            onChange={onChange}
            above={`${path}/`}
          />
        </fieldset>
      )
    return (
      <ArgumentField
        key={name}
        name={name}
        schema={{ ...property, ...plainOf(property) }}
        required={required}
        text={texts[path] ?? ''}
        problem={problems[path]}
        onChange={text => onChange(path, text)}
      />
    )
  })
}

function rankOf({ name, required }: { name: string; required: boolean }, above: string): number {
  return name === 'account' && above === '' ? 2 : Number(required)
}
