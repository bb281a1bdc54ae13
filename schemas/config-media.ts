import { Type } from '@sinclair/typebox'

/** The key of a provider, as a header carries it. */
function ProviderKey(name: string) {
  return Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{8,512}$',
      description: `an API key of ${name}: 8 to 512 printable characters`,
    }),
  )
}

/** The variables of media models and their providers. */
export const MEDIA_VARIABLES = {
  OPENAI_API_KEY: ProviderKey('OpenAI, or of the service at OPENAI_BASE_URL'),
  OPENAI_BASE_URL: Type.Optional(
    Type.String({
      description:
        'the URL of a service with the interface of OpenAI, up to its version, such as https://api.openai.com/v1; https except for hosts in EGRESS_ALLOW and, with EGRESS_ALLOW_LOOPBACK, this machine',
    }),
  ),
  GEMINI_API_KEY: ProviderKey('the Gemini API'),
  FAL_KEY: ProviderKey('fal'),
  ELEVENLABS_API_KEY: ProviderKey('ElevenLabs'),
  MEDIA_MODELS: Type.Optional(
    Type.String({
      description: 'the path of a JSON file with a list of media models and their prices',
    }),
  ),
}
