import type { RefreshMode } from '../../../../schemas/remote-refresh.ts'
import { Choice } from '../../ui/choice.tsx'

/** The choice of who accepts changes of a server. */
export function RefreshChoice({ value, onChange }: { value: RefreshMode; onChange: (value: RefreshMode) => void }) {
  return (
    <Choice
      label="Changes of its tools"
      value={value}
      onChange={onChange}
      options={[
        { value: 'manual', label: 'An admin accepts each', hint: 'Check for changes on its page when you like.' },
        {
          value: 'harmless',
          label: 'Harmless ones go live by themselves',
          hint: 'The gateway checks regularly. What could be risky waits for an admin.',
        },
      ]}
    />
  )
}
