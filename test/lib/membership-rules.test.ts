import t, { type Test } from 'tap'
import { InvalidConfiguration } from '../../lib/configuration/faults.ts'
import { loadConfig } from '../../services/settings/load.ts'

const SESSION = 'https://id.example'
const MCP = 'https://auth.example/mcp'
const ORG = `org_${'0'.repeat(32)}`
const rule = { issuer: SESSION, claim: 'groups', value: 'gateway', organization: ORG, role: 'member' }

function load(t: Test, rules: unknown, env: Record<string, string> = {}) {
  return loadConfig({
    DATA_DIR: `${t.testdir()}/data`,
    SESSION_ISSUER: SESSION,
    SESSION_AUDIENCE: 'gateway',
    MCP_ISSUER: MCP,
    MEMBERSHIP_RULES: typeof rules === 'string' ? rules : JSON.stringify(rules),
    ...env,
  })
}

function faults(t: Test, rules: unknown, env: Record<string, string> = {}): string[] {
  try {
    load(t, rules, env)
    return []
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error
    return error.faults.map(({ message }) => message.replace(/^MEMBERSHIP_RULES must be [^;]*; /, ''))
  }
}

t.test('rules of both issuers are read; without the variable there are none', async t => {
  const rules = [rule, { ...rule, issuer: MCP, claim: '/realm_access/roles', role: 'admin' }]
  t.same(load(t, rules).membershipRules, rules)
  t.same(load(t, '').membershipRules, [])
  t.same(load(t, []).membershipRules, [])
})

t.test('every fault of every rule is named, and no value is quoted', async t => {
  t.same(
    faults(t, [
      rule,
      { ...rule, role: 'owner', organization: 'secretive' },
      { claim: '', value: 1, extra: true },
      'secretive',
    ]),
    [
      'rule 2: its organization is invalid.',
      'rule 2: its role is invalid.',
      'rule 2: an owner is made by the operator or by another owner.',
      'rule 3: its issuer is missing.',
      'rule 3: its claim is invalid.',
      'rule 3: its value is invalid.',
      'rule 3: its organization is missing.',
      'rule 3: its role is missing.',
      'rule 3: it has another member.',
      'rule 4: it is not an object.',
    ],
  )
  t.match(faults(t, '{'), ['this is not JSON.'])
  t.match(faults(t, { ...rule }), [/not a list/])
})

t.test('a rule of an issuer that is not configured is refused', async t => {
  t.same(faults(t, [{ ...rule, issuer: 'https://other.example' }]), [
    'rule 1: its issuer is neither SESSION_ISSUER nor MCP_ISSUER.',
  ])
  t.same(faults(t, [{ ...rule, issuer: `${SESSION}/` }]), [
    'rule 1: its issuer is neither SESSION_ISSUER nor MCP_ISSUER.',
  ])
})

t.test('a rule by email or mail domain is refused', async t => {
  for (const claim of ['email', 'Email', 'emails', 'hd', 'domain', 'email_domain', 'email_verified', '/user/email'])
    t.match(faults(t, [{ ...rule, claim }]), [/an email or a mail domain/], claim)
  for (const claim of ['groups', 'domains_of_work', '/realm_access/roles', 'https://example.com/groups'])
    t.same(faults(t, [{ ...rule, claim }]), [], claim)
})

t.test('a malformed pointer is refused, and a name with dots is warned of', async t => {
  for (const claim of ['/', '/a/', '//a', '/a~2', 'a\nb'])
    t.same(faults(t, [{ ...rule, claim }]), ['rule 1: its claim is invalid.'], claim)
  const { warnings } = load(t, [{ ...rule, claim: 'realm_access.roles' }, rule])
  t.match(warnings, [/realm_access\.roles.*for a nested one, write \/realm_access\/roles/])
})

t.test('a faulty issuer is named once', async t => {
  t.same(faults(t, [rule], { SESSION_ISSUER: 'no url' }).length, 1)
})
