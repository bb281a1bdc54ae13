import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Route, Switch } from 'wouter'
import { createQueryClient } from './lib/queries.ts'
import { AuthorizeFault } from './pages/authorize.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { SignInCallback } from './pages/sign-in-callback.tsx'
import { Signed } from './pages/signed.tsx'
import { Boundary } from './ui/boundary.tsx'
import { Card } from './ui/layout.tsx'
import { Skeleton } from './ui/states.tsx'
import { Toasts } from './ui/toast.tsx'

const AgentPage = lazy(() => import('./pages/agents/agent-page.tsx'))
const Audit = lazy(() => import('./pages/calls/audit.tsx'))
const Agents = lazy(() => import('./pages/agents/agents.tsx'))
const Calls = lazy(() => import('./pages/calls/calls.tsx'))
const Catalog = lazy(() => import('./pages/connectors/catalog.tsx'))
const ClaimKey = lazy(() => import('./pages/keys/claim-key.tsx'))
const Clients = lazy(() => import('./pages/clients/clients.tsx'))
const ConnectCallback = lazy(() => import('./pages/connect/callback.tsx'))
const ConnectPage = lazy(() => import('./pages/connect/connect-page.tsx'))
const ConnectorPage = lazy(() => import('./pages/connectors/connector-page.tsx'))
const Keys = lazy(() => import('./pages/keys/keys.tsx'))
const Reauthorize = lazy(() => import('./pages/connect/reauthorize.tsx'))
const RegisterPage = lazy(() => import('./pages/remotes/register-page.tsx'))
const RemotePage = lazy(() => import('./pages/remotes/remote-page.tsx'))
const Sessions = lazy(() => import('./pages/sessions.tsx'))
const Start = lazy(() => import('./pages/start/start.tsx'))
const ToolPage = lazy(() => import('./pages/tools/tool-page.tsx'))
const Tools = lazy(() => import('./pages/tools/tools.tsx'))
const Members = lazy(() => import('./pages/members/members.tsx'))
const Billing = lazy(() => import('./pages/billing/billing.tsx'))
const NotFound = lazy(() => import('./pages/not-found.tsx'))

/** The whole page: what each path shows. */
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
            <Route>
              <Signed>
                <Suspense fallback={<Loading />}>
                  <Pages />
                </Suspense>
              </Signed>
            </Route>
          </Switch>
        </Boundary>
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  )
}

function Pages() {
  return (
    <Switch>
      <Route path="/" component={Start} />
      <Route path="/accounts/:id/reauthorize" component={Reauthorize} />
      <Route path="/agents" component={Agents} />
      <Route path="/agents/:id" component={AgentPage} />
      <Route path="/audit" component={Audit} />
      <Route path="/calls" component={Calls} />
      <Route path="/clients" component={Clients} />
      <Route path="/connect/callback" component={ConnectCallback} />
      <Route path="/connect/:connector" component={ConnectPage} />
      <Route path="/connectors" component={Catalog} />
      <Route path="/connectors/org" component={RegisterPage} />
      <Route path="/connectors/org/:slug" component={RemotePage} />
      <Route path="/connectors/:id" component={ConnectorPage} />
      <Route path="/keys" component={Keys} />
      <Route path="/keys/claim" component={ClaimKey} />
      <Route path="/members" component={Members} />
      <Route path="/billing" component={Billing} />
      <Route path="/sessions" component={Sessions} />
      <Route path="/tools" component={Tools} />
      <Route path="/tools/:name" component={ToolPage} />
      <Route component={NotFound} />
    </Switch>
  )
}

function Loading() {
  return (
    <Card>
      <Skeleton lines={5} />
    </Card>
  )
}
