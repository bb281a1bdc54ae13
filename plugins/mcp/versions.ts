/** The stateless revisions, in which each request says for itself who sends it and in which version. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28']

/** The revisions that begin with `initialize`, the latest first. */
export const LEGACY_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

/** Every revision of MCP served here, the latest first. */
export const SUPPORTED_PROTOCOL_VERSIONS: readonly string[] = [...MODERN_VERSIONS, ...LEGACY_VERSIONS]
