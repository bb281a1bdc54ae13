import { GatewayEnvironment } from '../../schemas/gateway/environment.ts'
import type { Reading } from './setting.ts'
import { variable } from './variable.ts'

/** The deployment, of which many settings depend. */
export const GATEWAY_ENV = variable(
  'GATEWAY_ENV',
  { ...GatewayEnvironment, default: 'development' as const },
  {
    doc: '`development`, `staging` or `production`. Sets the prefix of API keys, which work only in their own environment',
    unset: '`development` (the image: `production`)',
  },
)

/** Whether the gateway runs for its developers, who need to set nothing. */
export function isDevelopment({ read }: Pick<Reading, 'read'>): boolean {
  return read(GATEWAY_ENV) === 'development'
}
