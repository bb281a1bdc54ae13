/** The tool changes nothing at the provider. */
export const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true } as const

/** The tool adds something: two calls add two. */
export const adds = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true } as const

/** The tool sets something and loses nothing: two calls have the effect of one. */
export const sets = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true } as const

/** The tool overwrites or removes something: two calls have the effect of one. */
export const overwrites = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
} as const
