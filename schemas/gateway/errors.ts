import { Type } from '@sinclair/typebox'

const closed = { additionalProperties: false }

/** The nested envelope: identity, standing, unknown endpoints, every 5xx. */
export const NestedError = Type.Object(
  {
    error: Type.Object({ type: Type.String(), message: Type.String(), code: Type.String() }, closed),
  },
  closed,
)

/** The nested envelope of a throttled request. */
export const RateLimitError = Type.Composite([NestedError, Type.Object({ retry_after: Type.Integer() })], closed)

/** An OAuth error (RFC 6749, section 5.2; RFC 7591, section 3.2.2), which OAuth clients show. */
export const OAuthError = Type.Object({ error: Type.String(), error_description: Type.String() }, closed)

/** The transport error of POST /mcp. */
export const TransportError = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    error: Type.Object({ code: Type.Integer(), message: Type.String() }, closed),
    id: Type.Null(),
  },
  closed,
)
