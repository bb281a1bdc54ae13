import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { Component, type ReactNode, useState } from 'react'
import { Route, Switch, useSearchParams } from 'wouter'
import { createQueryClient } from './lib/queries.ts'
import { SignIn, SignInCallback } from './pages/sign-in.tsx'
import { Signed } from './signed.tsx'
import { Alone } from './ui/alone.tsx'
import { Button, ButtonLink } from './ui/button.tsx'
import { Notice } from './ui/states.tsx'
import { Toasts } from './ui/toast.tsx'

/** The whole page: the pages of the sign-in, and behind it those of `pages.ts`. */
export function App() {
  const [client] = useState(createQueryClient)
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={client}>
        <Boundary>
          <Switch>
            <Route path="/sign-in" component={SignIn} />
            <Route path="/auth/callback" component={SignInCallback} />
            <Route path="/authorize" component={AuthorizeFault} />
            <Route component={Signed} />
          </Switch>
        </Boundary>
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  )
}

const FAULTS: Record<string, string> = {
  invalid_client:
    'This gateway does not recognize the client. Clear the gateway’s authentication in the client, then sign in again.',
  invalid_redirect_uri:
    'The client asked to return to an address that it did not register. Start the sign-in again in the client.',
  invalid_target: 'The client asked for access to another server. Check the gateway’s URL in the client.',
}

/** What the local issuer leads to when it cannot lead back to the client. */
function AuthorizeFault() {
  const [search] = useSearchParams()
  const code = search.get('error') ?? ''
  return (
    <Alone title="The client cannot sign in">
      <Notice kind="bad">
        {FAULTS[code] ??
          'This sign-in is invalid, already completed, or older than ten minutes. Start again in the client.'}
      </Notice>
      <ButtonLink href="/clients">How clients connect</ButtonLink>
    </Alone>
  )
}

/** Shows what to do in place of a page that failed to load or to render. */
class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
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
