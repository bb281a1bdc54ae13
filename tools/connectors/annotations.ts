/** Of a tool that changes nothing at the provider. */
export const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true } as const

/** Of a tool that adds something: calling twice adds two. */
export const adds = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true } as const

/** Of a tool that sets something additional without loss: calling twice is calling once. */
export const sets = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true } as const

/** Of a tool that overwrites or removes what was there: calling twice is calling once. */
export const overwrites = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
} as const
