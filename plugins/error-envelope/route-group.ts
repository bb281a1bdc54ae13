/**
 * The family of routes an answer leaves from, which decides its error envelope (spec.md, Errors):
 * connector routes are flat with the code first, account and billing routes flat with the message first,
 * POST /mcp has its bare transport errors, and all else is nested.
 */
export type RouteGroup = 'general' | 'connectors' | 'account' | 'billing' | 'mcp'
