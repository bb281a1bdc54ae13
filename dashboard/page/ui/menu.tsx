import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement
  children: ReactNode
  align?: 'start' | 'end'
  side?: 'bottom' | 'top'
}

/** A menu of actions. */
export function Menu({ trigger, children, align = 'end', side = 'bottom' }: MenuProps) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className="positioner" align={align} side={side} sideOffset={4}>
          <Base.Popup className="menu">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface MenuItemProps {
  icon?: IconName
  danger?: boolean
  onClick: () => void
  children: ReactNode
}

/** An action of a menu. */
export function MenuItem({ icon, danger = false, onClick, children }: MenuItemProps) {
  return (
    <Base.Item className={`menu-item${danger ? ' menu-danger' : ''}`} onClick={onClick}>
      {icon && <Icon name={icon} />}
      {children}
    </Base.Item>
  )
}

/** A line between the groups of a menu. */
export function MenuLine() {
  return <Base.Separator className="menu-line" />
}

interface MenuChoiceProps<Value extends string> {
  label: string
  value: Value
  options: readonly { value: Value; label: string; hint?: string; icon?: IconName }[]
  onChange: (value: Value) => void
}

/** A choice in a menu: one of several values. */
export function MenuChoice<Value extends string>({ label, value, options, onChange }: MenuChoiceProps<Value>) {
  return (
    <Base.Group>
      <Base.GroupLabel className="menu-label">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={onChange}>
        {options.map(option => (
          <Base.RadioItem key={option.value} value={option.value} closeOnClick className="menu-item menu-choice">
            {option.icon && <Icon name={option.icon} />}
            <span className="menu-text">
              {option.label}
              {option.hint !== undefined && <span className="menu-hint">{option.hint}</span>}
            </span>
            <Base.RadioItemIndicator>
              <Icon name="check" />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  )
}
