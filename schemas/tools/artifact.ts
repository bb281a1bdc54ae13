import { Type } from '@sinclair/typebox'
import { Id } from '../primitives/ids.ts'

/** A stored file, as tools and uploads return it. */
export const ArtifactEntry = Type.Object(
  {
    artifact: Id('art'),
    name: Type.String(),
    media_type: Type.String(),
    bytes: Type.Integer(),
    /** Serves the file without a credential until it expires. */
    url: Type.String(),
    expires_at: Type.String(),
  },
  { additionalProperties: false },
)
