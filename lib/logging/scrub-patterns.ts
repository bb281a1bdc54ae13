/** Names of fields that hold a credential, with the dashes and underscores left out. `key` is none: it is the id of one. */
const NAMES: ReadonlySet<string> = new Set([
  ...['authorization', 'proxyauthorization', 'cookie', 'setcookie', 'apikey', 'xapikey', 'hash'],
  ...['password', 'passwd', 'passphrase', 'pwd', 'credential', 'credentials'],
  ...['token', 'accesstoken', 'refreshtoken', 'idtoken', 'authtoken', 'bearertoken', 'sessiontoken', 'jwt'],
  ...['secret', 'clientsecret', 'tokensecret', 'signingsecret', 'webhooksecret', 'secretkey', 'privatekey'],
  ...['assertion', 'clientassertion', 'codeverifier', 'pepper', 'peppers', 'apikeypeppers', 'vaultkey', 'vaultkeys'],
])

/** Whether a field of this name holds a credential, however it is written: `x-api-key`, `clientSecret`, `SET_COOKIE`. */
export function isSecretName(name: string): boolean {
  return NAMES.has(name.replace(/[-_]/g, '').toLowerCase())
}

/** How every one of those names ends, for a first look; a pattern's source. */
export const NAME_ENDINGS =
  'authorization|cookie|hash|pass[-_]?w(?:or)?d|pass[-_]?phrase|pwd|credentials?|token|jwt|secret|assertion|' +
  'verifier|peppers?|(?:api|secret|private|vault)[-_]?keys?'

/** The names after which a text gives a credential (`password=…`, `"client_secret": "…"`); a pattern's source. */
export const NAMES_IN_TEXT =
  'passw(?:or)?d|passphrase|pwd|token|jwt|secret|client[-_]?assertion|code[-_]?verifier|peppers|' +
  '(?:api|secret|private|vault)[-_]?keys?'

/** What stands between the parts of a text, as such and percent-encoded. */
const SPACE = '(?:[ \\t+]|%20)+'
const EQUALS = '(?:=|%3D)'
const IS = '\\\\*["\']? *(?:[:=]|%3D|%3A) *'
const QUERY = '(?:^|[?&]|%3F|%26)'
/** A value in quotes, to the quote that ends it, or a bare one. */
const VALUE = '(?:\\\\*["\'](?:[^"\'\\\\]|\\\\[\\s\\S])*|[^&\\s"\'<>\\\\,;{}[\\]]+)'

/** Tokens that services give out, known by how they begin. */
const PROVIDER_TOKENS = [
  'gh[pousr]_[0-9A-Za-z]{16,}',
  'github_pat_\\w{16,}',
  'glpat-[\\w-]{16,}',
  'xox[a-z]-[\\w-]{8,}',
  'xapp-[\\w-]{8,}',
  '[sr]k_(?:live|test)_[0-9A-Za-z]{8,}',
  'whsec_[\\w+/=-]{8,}',
  'sk-[\\w-]{20,}',
  '(?:AKIA|ASIA)[0-9A-Z]{16}',
  'AIza[\\w-]{30,}',
  'ya29\\.[\\w-]{16,}',
  'GOCSPX-[\\w-]{16,}',
  'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
  '(?:hf|npm|shp[a-z]{2})_[0-9A-Za-z]{16,}',
]

/**
 * What a credential looks like, and what is left of it. Each repetition is of one class of characters or bounded, so
 * that no text takes more than a time in proportion to its length.
 */
export const SECRET_FORMS: readonly (readonly [form: RegExp, rest: string])[] = [
  [/-----BEGIN [A-Z0-9 ]{1,40}-----(?:(?!-----END )[\s\S])*(?:-----END [A-Z0-9 ]{1,40}-----)?/g, '[redacted PEM]'],
  [/cgw_[A-Za-z]{1,8}_[0-9A-Za-z]+/g, 'cgw_[redacted]'],
  // Not only at the beginning of a word: behind %20 there is none. One that was cut off may have lost its dots.
  [/eyJ[\w-]{12,}(?:(?:\.|%2[Ee])[\w-]*)*/g, '[redacted token]'],
  [new RegExp(PROVIDER_TOKENS.join('|'), 'g'), '[redacted token]'],
  [/((?:set-)?cookie|(?:proxy-)?authorization)(\\*["']? *[:=])[^\r\n]+/gi, '$1$2 [redacted]'],
  [new RegExp(`(bearer|basic)(${SPACE})[\\w.~+/=%-]+`, 'gi'), '$1$2[redacted]'],
  [/(:\/\/)[^\s/?#"]*@/g, '$1[redacted]@'],
  [/(%3A%2F%2F)[^\s/?#"&]{0,512}?%40/gi, '$1[redacted]%40'],
  [new RegExp(`(${QUERY}(?:code|state)${EQUALS})[^&\\s"'<>#]+`, 'gi'), '$1[redacted]'],
  // Outside a query they are words of their own, and only a long value is worth hiding.
  [/\b((?:code|state)=)[^&\s"'<>#]{16,}/gi, '$1[redacted]'],
  [new RegExp(`((?:${NAMES_IN_TEXT})${IS})${VALUE}`, 'gi'), '$1[redacted]'],
]
