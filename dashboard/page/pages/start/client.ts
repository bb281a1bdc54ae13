/** How one MCP client connects to the gateway, as the server generates it. */
export interface Client {
  id: string
  name: string
  kind: 'app' | 'sdk' | 'command'
  key: Form
  /** Null if the gateway signs no clients in. */
  sign_in: Form | null
  notes: string[]
}

/** The ways to connect, or the reason why this client cannot. */
export interface Form {
  steps: Step[] | null
  unsupported: string | null
}

/** One way to connect. */
export type Step = { afterwards?: string } & (
  | { kind: 'file'; path: string; content: string }
  | { kind: 'command'; command: string }
  | { kind: 'deeplink'; url: string }
  | { kind: 'code'; language: string; install: string; content: string }
  | { kind: 'instruction'; text: string }
)
