/** A file that was stored. */
export interface Artifact {
  id: string
  orgId: string
  name: string
  mediaType: string
  bytes: number
  expiresAt: Date
}

/** What an artifact's file and its URL are named by; nothing else is ever looked for on the disk. */
export const ARTIFACT_ID = /^art_[0-9a-f]{32}$/

/** What the name of a file ends with until all of it is there. */
export const DRAFT = '.part'
