import { GatewayError } from '../../../lib/errors/errors.ts'

const BEARER_TOKEN = /^[\x21-\x7e]+$/
/** Words of visible ASCII (`Token abc`), with one space between them. */
const HEADER_VALUE = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/
/** Shorter ones are not struck out of what an upstream answers: innocent words would go with them. */
const MIN_LENGTH = 8
const MAX_LENGTH = 8192

/**
 * What an upstream of a mode is authenticated to with, as it was pasted. Throws invalid_request for what no header takes,
 * and for what could not be kept from those who call.
 */
export function checkProvidedCredential(mode: 'bearer' | 'header', pasted: string): string {
  const secret = pasted.trim()
  if (mode === 'bearer' && !BEARER_TOKEN.test(secret))
    throw invalid('A token is printable ASCII without spaces. Give it alone, without the word Bearer.')
  if (!HEADER_VALUE.test(secret))
    throw invalid('The value of a header is one line of printable ASCII, with no more than one space between words.')
  if (secret.length < MIN_LENGTH || secret.length > MAX_LENGTH)
    throw invalid(
      `A token or the value of a header has ${MIN_LENGTH} to ${MAX_LENGTH} characters: a shorter one could not be told ` +
        'from words in what the server answers.',
    )
  return secret
}

function invalid(message: string): GatewayError {
  return new GatewayError('invalid_request', message)
}
