import { UI_EXTENSION } from '../mcp/protocol.ts'

/** What this gateway declares to every upstream for every caller. It passes interfaces on to clients that show them. */
export const DECLARED_CAPABILITIES = {
  extensions: { [UI_EXTENSION]: { mimeTypes: ['text/html;profile=mcp-app'] } },
} as const

/** What it does not declare when it lists: some servers list tools only for clients that declare these. */
export const UNDECLARED_CAPABILITIES = ['elicitation', 'roots', 'sampling'] as const
