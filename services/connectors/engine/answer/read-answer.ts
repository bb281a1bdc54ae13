import type { EgressAnswer, EgressStream } from '../../../../lib/egress/egress.ts'
import { parseUpstream } from '../../../../lib/http/json.ts'
import type { ProviderAnswer } from './classify-answer.ts'
import type { Redact } from './redactor.ts'

/** Bytes that are read of an error in place of a file: a sentence is somewhere in its beginning. */
const MAX_ERROR_BYTES = 262_144

/** An answer as all that follows sees it: parsed where it is JSON, and where that is asked for or short. */
export function readAnswer(
  { status, headers, body }: Pick<EgressAnswer, 'status' | 'headers' | 'body'>,
  redact: Redact,
  { json: wanted }: { json: boolean },
): ProviderAnswer {
  // What is no result has a sentence in it, or is of no use.
  const json = (wanted && status < 300) || body.length <= MAX_ERROR_BYTES ? parseUpstream(body) : undefined
  return { status, headers, body, json, redact }
}

/** The same of the beginning of a body that streams: an error in place of a file. */
export async function readStream({ status, headers, body }: EgressStream, redact: Redact): Promise<ProviderAnswer> {
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop destroys the stream, and with it the rest of what it would bring.
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MAX_ERROR_BYTES) break
  }
  return readAnswer({ status, headers, body: Buffer.concat(chunks).toString() }, redact, { json: false })
}
