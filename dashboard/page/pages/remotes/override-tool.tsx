import { useState } from 'react'
import type { OverrideRecord, ToolClass, ToolOverride } from '../../../../schemas/remotes/overrides.ts'
import type { RemoteConnectorRead, RemoteToolRecord } from '../../../../schemas/remotes/remote.ts'
import { CLASSES } from '../../lib/remotes.ts'
import { Button } from '../../ui/button.tsx'
import { Toggle } from '../../ui/choice.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Section } from '../../ui/layout.tsx'
import { SelectField } from '../../ui/select.tsx'
import { type RemoteChange, useRemoteChange } from './remote-actions.tsx'

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
  const save = useRemoteChange(props, 'Saved. Clients see the change at once.')
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
      <p className="muted">Leave a field empty to keep the server’s value. The tool’s name stays the same.</p>
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
        hint="Models read this text instead of the server’s description."
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
        hint="Policies rely on the effect. The server’s own value counts only after an admin confirms it."
      />
      <TextArea
        label="Fixed arguments (JSON)"
        rows={3}
        code
        value={fixedText}
        onChange={setFixed}
        problem={tried && fixed === undefined ? 'Enter a JSON object, such as {"space": "public"}.' : undefined}
        hint="Added to every call. Clients neither see nor send these arguments."
      />
      <Toggle
        label="Hide this tool"
        hint="Clients can neither see nor call this tool. Other members do not see it here."
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

/** What an admin has set for tools that the server no longer publishes. It counts again if they return. */
export function LostOverrides({ entry }: { entry: RemoteConnectorRead }) {
  const [reset, setReset] = useState<string>()
  const lost = entry.remote.overrides?.filter(({ state }) => state === 'missing') ?? []
  if (lost.length === 0) return null
  return (
    <Section
      title="Settings for tools that are gone"
      text="The server no longer publishes these tools. The settings apply again if the tools return."
    >
      <ul className="lines">
        {lost.map(({ original_name }) => (
          <li key={original_name}>
            <code>{original_name}</code>
            <Button size="small" onClick={() => setReset(original_name)}>
              Reset
            </Button>
          </li>
        ))}
      </ul>
      {reset !== undefined && (
        <ResetTool entry={entry} tool={{ original_name: reset }} label={reset} onClose={() => setReset(undefined)} />
      )}
    </Section>
  )
}
