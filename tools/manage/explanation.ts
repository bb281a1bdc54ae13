import { type Static, Type } from '@sinclair/typebox'
import { AccountStatus } from '../../schemas/account.ts'
import { ToolClass } from '../../schemas/remote-overrides.ts'
import { StringEnum } from '../../schemas/string-enum.ts'

/** Why a tool cannot be called. */
export const Reason = StringEnum([
  'unknown_tool',
  'not_configured',
  'disabled',
  'jwt_session_required',
  'admin_required',
  'org_suspended',
  'payment_required',
  'key_spend_limit_exceeded',
  'no_account',
  'account_not_found',
  'needs_reauth',
  'scope_missing',
  'hidden',
  'authorization_pending',
  'no_snapshot',
  'surface_full',
  'set_aside',
])
export type Reason = Static<typeof Reason>

/** Whether a tool can be called with one account. */
export const AccountExplanation = Type.Object({
  id: Type.String(),
  account: Type.String(),
  identity: Type.String(),
  status: AccountStatus,
  callable: Type.Boolean(),
  missing_scopes: Type.Optional(Type.Array(Type.String())),
})
export type AccountExplanation = Static<typeof AccountExplanation>

/** Why the caller can or cannot call a tool. */
export const Explanation = Type.Object({
  name: Type.String(),
  callable: Type.Boolean(),
  reason: Type.Optional(Reason),
  explanation: Type.String(),
  class: Type.Optional(ToolClass),
  accounts: Type.Optional(Type.Array(AccountExplanation)),
})
export type Explanation = Static<typeof Explanation>
