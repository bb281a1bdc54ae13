import type { Holder } from './tools.ts'

/** The servers under test: each runs once, whatever is asked of it. */
export type ServerName = 'http' | 'bare' | 'info' | 'warn' | 'sdk' | 'mcp-proxy' | 'supergateway'

/** What is asked of which server. */
export interface Question {
  server: ServerName
  /** `POST` when absent. */
  method?: 'GET'
  /** `/mcp` when absent. */
  path?: string
  /** Whose key the request carries. */
  holder: Holder
  headers: Record<string, string>
  /** The token that stands in place of the key. */
  token?: 'session' | 'mcp'
  /** By the id of the message: proxies that have one session for all tell its answers apart by nothing else. */
  body?: (id: number) => string
}

/** What is looked at of an answer. */
export interface Answer {
  result?: { tools?: unknown[]; content?: unknown[]; structuredContent?: unknown }
  connectors?: { accounts: unknown[] }[]
}

/** One line of the bench: what is asked, and what it may cost. */
export interface Subject extends Question {
  title: string
  /** Throws where an answer is not what the line says it measures. */
  check(answer: Answer): void
  /** Whose answer the server is handed over, once, before it is asked for these bytes. */
  stores?: Question
  /** The line in whose processor time its own is measured; the bare route when absent. */
  against?: Subject
  /** The most it may cost in that. */
  atMost?: number
  /** The most it may cost in that at full load. */
  atMostFull?: number
  /** What is wished for beyond that, and not asked. */
  aim?: number
}
