import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { AccountMenu, OrganizationSwitch } from './account-menu.tsx'
import { IconButton } from './button.tsx'
import { Navigation } from './navigation.tsx'

/** The frame of all pages: navigation at the side, on a phone in a drawer. */
export function Frame({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  const main = useRef<HTMLElement>(null)
  const first = useRef(true)
  const [open, setOpen] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the path is what it waits for
  useEffect(() => {
    setOpen(false)
    if (!first.current) main.current?.focus({ preventScroll: true })
    first.current = false
    window.scrollTo(0, 0)
  }, [path])

  return (
    <div className="frame">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <aside className="side">
        <OrganizationSwitch />
        <Navigation />
        <AccountMenu />
      </aside>
      <header className="top">
        <OrganizationSwitch />
        <Dialog.Root open={open} onOpenChange={setOpen}>
          <Dialog.Trigger render={<IconButton icon="menu" label="Menu" />} />
          <Dialog.Portal>
            <Dialog.Backdrop className="backdrop" />
            <Dialog.Popup className="drawer">
              <Dialog.Title className="hidden">Menu</Dialog.Title>
              <div className="drawer-head">
                <Dialog.Close render={<IconButton icon="x" label="Close" />} />
              </div>
              <Navigation />
              <AccountMenu />
            </Dialog.Popup>
          </Dialog.Portal>
        </Dialog.Root>
      </header>
      <main id="main" className="main" ref={main} tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
