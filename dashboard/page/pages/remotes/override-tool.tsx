import { useState } from 'react'
import type { RemoteToolRecord } from '../../../../schemas/remote.ts'
import type { OverrideRecord, ToolClass, ToolOverride } from '../../../../schemas/remote-overrides.ts'
import { CLASSES } from '../../lib/remotes.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { Toggle } from '../../ui/toggle.tsx'
import { type RemoteChange, useRemoteChange } from './change-remote.tsx'

interface Change extends RemoteChange {
  tool: Pick<RemoteToolRecord, 'original_name'>
}

/** What sets an override of one tool; null removes it. */
function overriding({ original_name: name }: Change['tool'], override: ToolOverride | null) {
  return { overrides: { [name]: override } }
}

interface OverrideToolProps extends Change {
  tool: RemoteToolRecord
  override: OverrideRecord | undefined
}

/** The form that sets what clients see of a tool, and what every call of it gets. */
export function OverrideTool(props: OverrideToolProps) {
  const { tool, override, onClose } = props
  const [title, setTitle] = useState(override?.title ?? '')
  const [description, setDescription] = useState(override?.description ?? '')
  const [kind, setKind] = useState<ToolClass | 'server'>(override?.class ?? 'server')
  const [hidden, setHidden] = useState(override?.hidden ?? false)
  const [fixedText, setFixed] = useState(override?.fixed === undefined ? '' : JSON.stringify(override.fixed, null, 2))
  const [tried, setTried] = useState(false)
  const save = useRemoteChange(props, 'Saved. Clients see it at once.')
  const fixed = parseObject(fixedText)

  function submit() {
    setTried(true)
    if (fixed === undefined) return
    const set: ToolOverride = {
      ...(title.trim() !== '' && { title: title.trim() }),
      ...(description.trim() !== '' && { description: description.trim() }),
      ...(kind !== 'server' && { class: kind }),
      ...(hidden && { hidden }),
      ...(Object.keys(fixed).length > 0 && { fixed }),
    }
    save.mutate(overriding(tool, Object.keys(set).length > 0 ? set : null))
  }

  return (
    <FormDialog
      onClose={onClose}
      title={`Change “${tool.title ?? tool.original_name}” for clients`}
      submit="Save"
      action={save}
      onSubmit={submit}
    >
      <p className="muted">What you leave empty stays as the server says. The name does not change.</p>
      <TextField
        label="Title"
        maxLength={128}
        value={title}
        onChange={setTitle}
        placeholder={tool.title ?? tool.original_name}
      />
      <TextArea
        label="Description"
        rows={4}
        value={description}
        onChange={setDescription}
        hint="Models read it instead of the server’s own."
      />
      <SelectField
        label="Effect"
        value={kind}
        onChange={setKind}
        options={[
          { value: 'server', label: 'As the server says' },
          { value: 'read', label: CLASSES.read },
          { value: 'write', label: CLASSES.write },
          { value: 'destructive', label: CLASSES.destructive },
        ]}
        hint="Policies rely on it. What the server says counts once an admin has confirmed it."
      />
      <TextArea
        label="Fixed arguments (JSON)"
        rows={3}
        code
        value={fixedText}
        onChange={setFixed}
        problem={tried && fixed === undefined ? 'Enter a JSON object, such as {"space": "public"}.' : undefined}
        hint="Every call gets them. Clients neither see nor send them."
      />
      <Toggle
        label="Hide it"
        hint="Clients neither see nor call it. Other members do not see it here."
        checked={hidden}
        onChange={setHidden}
      />
    </FormDialog>
  )
}

/** The JSON object of a text, empty for an empty one; undefined for any other text. */
function parseObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** Asks before what an admin has set for a tool is removed. */
export function ResetTool(props: Change & { label: string }) {
  const save = useRemoteChange(props, 'Clients see what the server says.')
  return (
    <FormDialog
      onClose={props.onClose}
      title={`Reset “${props.label}”?`}
      submit="Reset"
      danger
      action={save}
      onSubmit={() => save.mutate(overriding(props.tool, null))}
    >
      <p>
        Clients see the server’s own title and description again. Fixed arguments, effect and hiding are removed too.
      </p>
    </FormDialog>
  )
}
