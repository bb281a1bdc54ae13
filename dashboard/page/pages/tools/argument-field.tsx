import type { ArgumentSchema } from '../../lib/mcp.ts'
import { TextField } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { kindOf } from './arguments.ts'

interface ArgumentFieldProps {
  name: string
  schema: ArgumentSchema
  required: boolean
  text: string
  problem: string | undefined
  onChange: (text: string) => void
}

const YES_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

/** The field of one argument, by its schema. */
export function ArgumentField({ name, schema, required, text, problem, onChange }: ArgumentFieldProps) {
  const kind = kindOf(schema)
  const common = { label: required ? name : `${name} (optional)`, value: text, onChange, problem }
  const about = [schema.description, rangeOf(schema)].filter(Boolean).join(' ')
  const hint = about === '' ? {} : { hint: about }
  const usual = schema.default === undefined ? '' : String(schema.default)
  switch (kind) {
    case 'choice':
    case 'yes-no': {
      const values =
        kind === 'choice' ? schema.enum?.map(value => ({ value: String(value), label: String(value) })) : YES_NO
      const none = { value: '', label: usual === '' ? 'Not set' : `Not set (${usual})` }
      return <SelectField {...common} {...hint} options={required ? (values ?? []) : [none, ...(values ?? [])]} />
    }
    case 'list':
      return <TextArea {...common} hint={`${about} One per line.`.trim()} />
    case 'json':
      return <TextArea {...common} hint={`${about} As JSON.`.trim()} code />
    default:
      return <TextField {...common} {...hint} placeholder={usual} inputMode={kind === 'number' ? 'decimal' : 'text'} />
  }
}

function rangeOf({ minimum, maximum }: ArgumentSchema): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}.`
  if (minimum !== undefined) return `At least ${minimum}.`
  return maximum === undefined ? '' : `At most ${maximum}.`
}
