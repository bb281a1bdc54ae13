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
