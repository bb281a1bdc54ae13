import { ICONS } from './icon-paths.ts'

/** The name of an icon. */
export type IconName = keyof typeof ICONS

/** An icon beside text that says the same. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path
        d={ICONS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth={size > 20 ? 1.5 : 1.75}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

/** The sign of the product. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="6" fill="var(--mark)" />
      <path
        d="M7 7.5h3.5a4.5 4.5 0 0 1 0 9H7M17 12h-6.5"
        fill="none"
        stroke="#fff"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <circle cx="17" cy="12" r="1.6" fill="#fff" />
    </svg>
  )
}
