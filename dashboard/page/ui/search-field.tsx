import { Icon } from './icon.tsx'

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
