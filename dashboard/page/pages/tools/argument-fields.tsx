import type { InputSchema } from '../../lib/mcp.ts'
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

/** The fields of the arguments of a tool, or of an object among them: the account first, then required ones. */
export function ArgumentFields({ schema, texts, problems, onChange, above = '' }: ArgumentFieldsProps) {
  const fields = Object.entries(schema.properties ?? {})
    .map(([name, property]) => ({ name, property, required: schema.required?.includes(name) ?? false }))
    .sort((a, b) => rankOf(b, above) - rankOf(a, above))
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
