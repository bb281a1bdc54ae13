/** How an upstream is spoken with: in which era and version, and in which session where it insists on one. */
export type Protocol = ModernProtocol | LegacyProtocol

export interface ModernProtocol {
  readonly generation: 'modern'
  readonly version: string
}

export interface LegacyProtocol {
  readonly generation: 'legacy'
  readonly version: string
  readonly sessionId: string | undefined
}
