import type { Holder } from './tools.ts'

/** The servers under test. Each runs once, for all its lines. */
export type ServerName = 'http' | 'bare' | 'info' | 'warn' | 'sdk' | 'mcp-proxy' | 'supergateway'

/** A request to a server. */
export interface Question {
  server: ServerName
  /** `POST` when absent. */
  method?: 'GET'
  /** `/mcp` when absent. */
  path?: string
  /** The owner of the request's key. */
  holder: Holder
  headers: Record<string, string>
  /** The token to send instead of the key. */
  token?: 'session' | 'mcp'
  /** Makes the body for a message ID. Proxies with one shared session distinguish its answers only by the ID. */
  body?: (id: number) => string
}

/** The checked parts of an answer. */
export interface Answer {
  result?: { tools?: unknown[]; content?: unknown[]; structuredContent?: unknown }
  connectors?: { accounts: unknown[] }[]
}

/** One line of the benchmark: a request and its target. */
export interface Subject extends Question {
  title: string
  /** Throws if the answer is not the expected one. */
  check(answer: Answer): void
  /** The request whose answer the server stores before the measurement and then sends. */
  stores?: Question
  /** The baseline; the bare route if absent. */
  against?: Subject
  /** The maximum ratio to the baseline. */
  atMost?: number
  /** The maximum ratio to the baseline at full load. */
  atMostFull?: number
  /** A wanted ratio that is not a target. */
  aim?: number
}
