/** Names of fields that hold a credential, without dashes and underscores. `key` is not one: it is the ID of a key. */
const NAMES: ReadonlySet<string> = new Set([
  ...['authorization', 'proxyauthorization', 'cookie', 'setcookie', 'apikey', 'xapikey', 'hash'],
  ...['password', 'passwd', 'passphrase', 'pwd', 'credential', 'credentials'],
  ...['token', 'accesstoken', 'refreshtoken', 'idtoken', 'authtoken', 'bearertoken', 'sessiontoken', 'jwt'],
  ...['secret', 'clientsecret', 'tokensecret', 'signingsecret', 'webhooksecret', 'secretkey', 'privatekey'],
  ...['assertion', 'clientassertion', 'codeverifier', 'pepper', 'peppers', 'apikeypeppers', 'vaultkey', 'vaultkeys'],
])

/** Whether a field name is a credential's, in any notation: `x-api-key`, `clientSecret`, `SET_COOKIE`. */
export function isSecretName(name: string): boolean {
  return NAMES.has(name.replace(/[-_]/g, '').toLowerCase())
}

/** The endings of all these names, for a first check; the source of a pattern. */
export const NAME_ENDINGS =
  'authorization|cookie|hash|pass[-_]?w(?:or)?d|pass[-_]?phrase|pwd|credentials?|token|jwt|secret|assertion|' +
  'verifier|peppers?|(?:api|secret|private|vault)[-_]?keys?'

/** Names that precede a credential in a text (`password=…`, `"client_secret": "…"`); the source of a pattern. */
const NAMES_IN_TEXT =
  'passw(?:or)?d|passphrase|pwd|token|jwt|secret|client[-_]?assertion|code[-_]?verifier|peppers|' +
  '(?:api|secret|private|vault)[-_]?keys?'

/** Separators, plain and percent-encoded. */
const SPACE = '(?:[ \\t+]|%20)+'
const EQUALS = '(?:=|%3D)'
const IS = '\\\\*["\']? *(?:[:=]|%3D|%3A) *'
const QUERY = '(?:^|[?&]|%3F|%26)'
/** A quoted or bare value, but not a shell's reference to a variable, as the lines of commands have it. */
const VALUE =
  '(?!\\\\*"\\$\\{[A-Z_]{1,40}:\\?\\}|\\?\\})(?:\\\\*["\'](?:[^"\'\\\\]|\\\\[\\s\\S])*|[^&\\s"\'<>\\\\,;{}[\\]]+)'

/** Provider tokens, known by their prefix. */
const PROVIDER_TOKENS = [
  'gh[pousr]_[0-9A-Za-z]{16,}',
  'github_pat_\\w{16,}',
  'glpat-[\\w-]{16,}',
  'xox[a-z]-[\\w-]{8,}',
  'xapp-[\\w-]{8,}',
  '[sr]k_(?:live|test)_[0-9A-Za-z]{8,}',
  'whsec_[\\w+/=-]{8,}',
  // What pays or shows a payment at Stripe: client secrets, and the URLs of payment pages.
  '(?:pi|seti|cs)_\\w{8,128}?_secret_\\w{8,}',
  '/c/pay/cs_[^\\s"\'<>\\\\]{8,}',
  'sk-[\\w-]{20,}',
  '(?:AKIA|ASIA)[0-9A-Z]{16}',
  'AIza[\\w-]{30,}',
  'ya29\\.[\\w-]{16,}',
  'GOCSPX-[\\w-]{16,}',
  'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
  '(?:hf|npm|shp[a-z]{2})_[0-9A-Za-z]{16,}',
]

/**
 * Patterns of credentials and their replacement. Each repetition has one class of characters or a bound, so the time is
 * linear in the text's length.
 */
const SECRET_FORMS: readonly (readonly [form: RegExp, rest: string])[] = [
  [/-----BEGIN [A-Z0-9 ]{1,40}-----(?:(?!-----END )[\s\S])*(?:-----END [A-Z0-9 ]{1,40}-----)?/g, '[redacted PEM]'],
  [/cgw_[A-Za-z]{1,8}_[0-9A-Za-z]+/g, 'cgw_[redacted]'],
  // %20 before a token is not a word boundary, so none is required. A truncated token may have lost its dots.
  [/eyJ[\w-]{12,}(?:(?:\.|%2[Ee])[\w-]*)*/g, '[redacted token]'],
  [new RegExp(PROVIDER_TOKENS.join('|'), 'g'), '[redacted token]'],
  [/((?:set-)?cookie|(?:proxy-)?authorization)(\\*["']? *[:=])[^\r\n]+/gi, '$1$2 [redacted]'],
  [new RegExp(`(bearer|basic)(${SPACE})[\\w.~+/=%-]+`, 'gi'), '$1$2[redacted]'],
  [/(:\/\/)[^\s/?#"]*@/g, '$1[redacted]@'],
  [/(%3A%2F%2F)[^\s/?#"&]{0,512}?%40/gi, '$1[redacted]%40'],
  [new RegExp(`(${QUERY}(?:code|state)${EQUALS})[^&\\s"'<>#]+`, 'gi'), '$1[redacted]'],
  // Outside a query these are ordinary words, so only long values are redacted.
  [/\b((?:code|state)=)[^&\s"'<>#]{16,}/gi, '$1[redacted]'],
  [new RegExp(`((?:${NAMES_IN_TEXT})${IS})${VALUE}`, 'gi'), '$1[redacted]'],
]

/**
 * A text that matches none of these has nothing to redact. They are written for speed: most lines of the log match none,
 * and a full search costs ten times as much.
 */
const SUSPECTS = [
  /(?<=cgw|gh[pousr]|github|whsec|[sr]k|hf|npm|shp[a-z]{2})_|(?<=glpat|xox[a-z]|xapp|sk|GOCSPX|----)-|SG\.|:\/\/[^\s/?#"]*@|%3[Aa]%2[Ff]|eyJ|AKIA|ASIA|AIza|ya29|_secret_|pay\/cs_/,
  new RegExp(`(?<=(?:${NAME_ENDINGS}|headers|code|state)\\\\*["']? *)(?:[:=]|%3[AD])`, 'i'),
  /(?<=bearer|basic)(?: |\+|%20|\\t)/i,
]

/** Redacts what looks like a credential. */
export function redactForms(text: string): string {
  let redacted = text
  for (const [form, rest] of SECRET_FORMS) redacted = redacted.replace(form, rest)
  return redacted
}

/** Whether a text may contain what `redactForms` redacts, or the field of a credential. */
export function isSuspect(text: string): boolean {
  return SUSPECTS.some(suspect => suspect.test(text))
}
