import { Component, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Notice } from './states.tsx'

/** Shows what to do in place of a page that failed to load or to render. */
export class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <main className="alone">
        <Notice kind="bad" title="This page could not be shown.">
          A newer version of the dashboard may be running. Reload the page.
          <div className="notice-action">
            <Button icon="rotate-cw" onClick={() => location.reload()}>
              Reload
            </Button>
          </div>
        </Notice>
      </main>
    )
  }
}
