import type { Static } from '@sinclair/typebox'
import { StringEnum } from '../primitives/string-enum.ts'

/** The deployment, as GATEWAY_ENV names it. */
export const GatewayEnvironment = StringEnum(['development', 'staging', 'production'], {
  description: 'development, staging or production',
})

export type GatewayEnvironment = Static<typeof GatewayEnvironment>
