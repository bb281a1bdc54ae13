import { useState } from 'react'
import type { ArgumentSchema, InputSchema } from '../../lib/mcp.ts'
import { TextArea, TextField } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select.tsx'

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
function ArgumentField({ name, schema, required, text, problem, onChange }: ArgumentFieldProps) {
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

/** How the form asks for an argument. */
type FieldKind = 'text' | 'number' | 'yes-no' | 'choice' | 'list' | 'group' | 'json'

/** What the user typed, by the path of an argument: `filter/state`. An empty text leaves the argument out. */
export type Texts = Readonly<Record<string, string>>

/** Nested objects below this depth are JSON. */
const MAX_DEPTH = 3

/** The schema without a `null` beside its only other type. */
function plainOf(schema: ArgumentSchema): ArgumentSchema {
  const { anyOf, type } = schema
  const others = anyOf?.filter(variant => variant.type !== 'null')
  if (others?.length === 1) return { ...schema, ...others[0], anyOf: undefined }
  if (!Array.isArray(type)) return schema
  const types = type.filter(name => name !== 'null')
  return types.length === 1 ? { ...schema, type: types[0] } : schema
}

/** Chooses how to ask for an argument. Everything that is not simple is JSON. */
function kindOf(schema: ArgumentSchema, path = ''): FieldKind {
  const { type, enum: values, items, anyOf, properties } = plainOf(schema)
  if (values?.every(value => typeof value === 'string')) return 'choice'
  if (anyOf !== undefined) return 'json'
  if (type === 'string') return 'text'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'yes-no'
  if (type === 'array' && items?.type === 'string' && items.enum === undefined) return 'list'
  const simple = type === 'object' && properties !== undefined && Object.keys(properties).length > 0
  return simple && path.split('/').length <= MAX_DEPTH ? 'group' : 'json'
}

/** The arguments that the texts mean, and what is wrong by the path of the argument. */
export function readArguments(schema: InputSchema, texts: Texts, above = '') {
  const args: Record<string, unknown> = {}
  const problems: Record<string, string> = {}
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const path = above + name
    const required = schema.required?.includes(name) ?? false
    if (kindOf(property, path) === 'group') {
      const inner = readArguments(plainOf(property), texts, `${path}/`)
      if (!required && !Object.keys(texts).some(key => key.startsWith(`${path}/`) && texts[key]?.trim())) continue
      args[name] = inner.args
      Object.assign(problems, inner.problems)
      continue
    }
    const text = texts[path] ?? ''
    if (text.trim() === '') {
      if (required) problems[path] = 'This argument is required.'
      continue
    }
    try {
      args[name] = readValue(plainOf(property), text, path)
    } catch (error) {
      problems[path] = error instanceof Error ? error.message : String(error)
    }
  }
  return { args, problems }
}

function readValue(schema: ArgumentSchema, text: string, path: string): unknown {
  switch (kindOf(schema, path)) {
    case 'number': {
      const number = Number(text)
      if (!Number.isFinite(number) || (schema.type === 'integer' && !Number.isInteger(number)))
        throw new Error(schema.type === 'integer' ? 'Enter a whole number.' : 'Enter a number.')
      return number
    }
    case 'yes-no':
      return text === 'true'
    case 'list':
      return text
        .split('\n')
        .map(line => line.trim())
        .filter(Boolean)
    case 'json':
      return parseJson(text)
    default:
      return text
  }
}

/** Parses JSON. Throws an error for the user. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('Enter valid JSON.')
  }
}

/** The texts that mean these arguments. */
export function writeArguments(schema: InputSchema, args: Readonly<Record<string, unknown>>, above = ''): Texts {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(args)) {
    const path = above + name
    const property = schema.properties?.[name] ?? {}
    const kind = kindOf(property, path)
    if (kind === 'group' && isObject(value)) Object.assign(texts, writeArguments(plainOf(property), value, `${path}/`))
    else if (kind === 'list' && Array.isArray(value)) texts[path] = value.join('\n')
    else texts[path] = typeof value === 'string' && kind !== 'json' ? value : JSON.stringify(value)
  }
  return texts
}

/** Whether a value is an object, not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
