import type { OperatorServices } from './operator-services.ts'

/** Warns of an issuer whose tokens are not accepted, as far as this process knows. */
export function warningOf(signIns: OperatorServices['signIns'], issuer: string): { warning?: string } {
  if (signIns.accepts(issuer)) return {}
  return {
    warning:
      'This issuer is neither SESSION_ISSUER nor MCP_ISSUER here, so the gateway rejects its tokens. Correct one of them.',
  }
}
