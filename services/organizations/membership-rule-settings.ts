import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { InvalidConfiguration } from '../../lib/configuration/faults.ts'
import { type Reading, settingOf } from '../../lib/configuration/setting.ts'
import { type ConfigurationError, mustBe, variable } from '../../lib/configuration/variable.ts'
import { Id } from '../../schemas/primitives/ids.ts'
import { StringEnum } from '../../schemas/primitives/string-enum.ts'
import { issuersOf, tokens } from '../identity/issuer-settings.ts'

/** A claim's name, or a JSON pointer to a nested one (RFC 6901). */
const CLAIM = '^(?:[^/\\x00-\\x1f\\x7f][^\\x00-\\x1f\\x7f]*|(?:/(?:[^/~\\x00-\\x1f\\x7f]|~[01])+)+)$'

const RULE = {
  issuer: Type.String({ minLength: 1 }),
  claim: Type.String({ pattern: CLAIM, maxLength: 200 }),
  value: Type.String({ minLength: 1, maxLength: 500 }),
  organization: Id('org'),
  role: StringEnum(['member', 'admin']),
}
const MembershipRule = Type.Object(RULE, { additionalProperties: false })

/** Makes users whose token has a value in a claim members of an organization. */
export type MembershipRule = Readonly<Static<typeof MembershipRule>>

const MAX_RULES = 1_000

/** Claims that say where somebody has a mailbox. A mail domain must not decide who is a member. */
const MAIL = /^(?:e-?mails?|email_verified|hd|(?:e?mail_)?domain)$/i

const MEMBERSHIP_RULES = variable(
  'MEMBERSHIP_RULES',
  Type.Optional(
    Type.String({
      description:
        'a JSON list of rules, each an object with issuer (SESSION_ISSUER or MCP_ISSUER), claim, value, organization (an ID, org_…) and role (member or admin)',
    }),
  ),
  {
    doc: 'a JSON list of rules that make users members by a claim of their token: [Membership by claims](identity.md#membership-by-claims)',
  },
)

/** Who becomes a member of an organization by the claims of their token. */
export const membershipRules = settingOf([MEMBERSHIP_RULES], parseMembershipRules, {
  warnings: membershipRuleWarnings,
})

/** Throws InvalidConfiguration with a fault for each wrong member of each rule; quotes no values. */
function parseMembershipRules({ read }: Reading): readonly MembershipRule[] {
  const text = read(MEMBERSHIP_RULES)
  if (text === undefined) return []
  const list = parsed(text)
  if (!Array.isArray(list) || list.length > MAX_RULES)
    throw invalid(`this is not a list of at most ${MAX_RULES.toLocaleString('en')} rules`)
  const issuers = issuersOf(read(tokens))
  const faults = list.flatMap((rule, index) =>
    faultsOf(rule, issuers).map(fault => invalid(`rule ${index + 1}: ${fault}`)),
  )
  if (faults.length > 0) throw new InvalidConfiguration(faults)
  return list as MembershipRule[]
}

/** A warning for each rule whose claim looks like a path, but is a name. */
function membershipRuleWarnings(rules: readonly MembershipRule[]): string[] {
  const paths = rules.map(({ claim }) => claim).filter(claim => /^[\w-]+(?:\.[\w-]+)+$/.test(claim))
  return [...new Set(paths)].map(
    claim =>
      `MEMBERSHIP_RULES has the claim ${claim}, which is the name of one claim; for a nested one, write /${claim.replaceAll('.', '/')}.`,
  )
}

/** The names that lead to a rule's claim. */
export function claimPath({ claim }: Pick<MembershipRule, 'claim'>): readonly string[] {
  if (!claim.startsWith('/')) return [claim]
  return claim
    .slice(1)
    .split('/')
    .map(name => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('this is not JSON')
  }
}

/** What is wrong with a rule. */
function faultsOf(rule: unknown, issuers: readonly string[]): string[] {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) return ['it is not an object']
  const members = rule as Readonly<Record<string, unknown>>
  const faults = Object.entries<TSchema>(RULE)
    .filter(([name, schema]) => !Object.hasOwn(members, name) || !Value.Check(schema, members[name]))
    .map(([name]) => `its ${name} is ${Object.hasOwn(members, name) ? 'invalid' : 'missing'}`)
  if (Object.keys(members).some(name => !Object.hasOwn(RULE, name))) faults.push('it has another member')
  const { issuer, claim, role } = members
  if (typeof issuer === 'string' && issuer !== '' && !issuers.includes(issuer))
    faults.push('its issuer is neither SESSION_ISSUER nor MCP_ISSUER')
  if (typeof claim === 'string' && MAIL.test(claimPath({ claim }).at(-1) ?? ''))
    faults.push('its claim is an email or a mail domain, which must not decide who is a member; use a group or a role')
  if (role === 'owner') faults.push('an owner is made by the operator or by another owner')
  return faults
}

function invalid(where: string): ConfigurationError {
  return mustBe(MEMBERSHIP_RULES, where)
}
