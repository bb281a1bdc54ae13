import type { KeyRing } from '../configuration/key-ring.ts'
import type { Settings } from '../configuration/settings.ts'

/**
 * Collects the secrets of the settings for the log's scrubber: keys in several encodings, passwords of URLs, client
 * secrets.
 */
export function configuredSecrets(
  settings: Pick<
    Settings,
    | 'peppers'
    | 'vaultKeys'
    | 'database'
    | 'redisUrl'
    | 'oauthClients'
    | 'stripe'
    | 'dashboardClient'
    | 'media'
    | 'social'
    | 'artifactsS3'
    | 'web'
  >,
): readonly string[] {
  const { peppers, vaultKeys, database, redisUrl, oauthClients, stripe, dashboardClient } = settings
  const { media, social, artifactsS3, web } = settings
  const urls = [database?.url, database?.directUrl, redisUrl]
  const clients = [
    ...[...oauthClients.values()].map(({ secret }) => secret),
    dashboardClient?.clientSecret ?? [],
  ].flat()
  const networks = [
    social.mastodonToken,
    social.bluesky?.appPassword,
    social.reddit?.clientSecret,
    social.xBearerToken,
  ].filter(secret => secret !== undefined)
  const payments = stripe === undefined ? [] : [stripe.secretKey, ...stripe.webhookSecrets]
  const { brave, tavily, exa } = web.search
  const search = [brave, tavily, exa].filter(key => key !== undefined)
  const providers = Object.values(media.providers).map(({ key }) => key)
  const files = artifactsS3?.credentials === undefined ? [] : [artifactsS3.credentials.secretAccessKey]
  const others = [...clients, ...payments, ...providers, ...networks, ...files, ...search]
  return [...keysOf(peppers), ...keysOf(vaultKeys), ...urls.flatMap(passwordsOf), ...others]
}

/** Base64 without padding, which a copied key may lack. */
function keysOf(ring: KeyRing): string[] {
  return ring.flatMap(({ key }) => {
    const bytes = key.export()
    return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url'), bytes.toString('hex')]
  })
}

/** The password as the URL has it, and decoded. */
function passwordsOf(url: string | undefined): string[] {
  if (url === undefined || !URL.canParse(url)) return []
  const { password, searchParams } = new URL(url)
  return [password, decode(password), searchParams.get('password') ?? ''].filter(Boolean)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
