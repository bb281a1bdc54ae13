/** How an upstream is spoken with: in which era and version, and in which session where it insists on one. */
export type Terms = ModernTerms | LegacyTerms

export interface ModernTerms {
  readonly era: 'modern'
  readonly version: string
}

export interface LegacyTerms {
  readonly era: 'legacy'
  readonly version: string
  readonly sessionId: string | undefined
}
