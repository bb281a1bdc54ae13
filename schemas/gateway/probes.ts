import { Type } from '@sinclair/typebox'
import { StringEnum } from '../primitives/string-enum.ts'
import { GatewayEnvironment } from './environment.ts'
import { NestedError } from './errors.ts'

const Check = StringEnum(['ok', 'failing'])

/** `GET /health`: only the process, none of its dependencies. */
export const Health = Type.Object({ status: Type.Literal('ok') })

/** The checks of readiness. */
export const ReadinessChecks = Type.Object({
  database: Check,
  migrations: Check,
  vault_keys: Check,
  log: Check,
  lost_log_lines: Type.Integer(),
  draining: Type.Boolean(),
  /** Bytes of unread answers. */
  waiting_bytes: Type.Integer({ minimum: 0 }),
})

/** `GET /health?ready` of a process that should get traffic. */
export const Ready = Type.Object({ status: Type.Literal('ok'), checks: ReadinessChecks })

/** `GET /health?ready` of a process that should get no traffic, with the failing checks. */
export const NotReady = Type.Composite([NestedError, Type.Object({ checks: ReadinessChecks })])

/** `GET /version`. */
export const Version = Type.Object({
  name: Type.String(),
  version: Type.String(),
  commit: Type.String(),
  environment: GatewayEnvironment,
  mcp_protocol_versions: Type.Array(Type.String()),
})

/** The protected-resource metadata document (RFC 9728). */
export const ProtectedResourceMetadata = Type.Object({
  resource: Type.String(),
  authorization_servers: Type.Array(Type.String()),
  scopes_supported: Type.Optional(Type.Array(Type.String())),
  bearer_methods_supported: Type.Array(Type.Literal('header')),
})
