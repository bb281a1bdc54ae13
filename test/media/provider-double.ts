import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { PROVIDER_KEY } from './media-fixture.ts'

/** The smallest PNG, and the beginning of an MP3 and an MP4: artifacts are typed by their content. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)
const MP3 = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(500)])
const MP4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom\0\0\0\0isomiso2'), Buffer.alloc(900)])

/** An answer instead of the usual one. */
interface Scripted {
  status?: number
  body?: unknown
  headers?: Record<string, string>
  /** Closes the connection, before or after the request counts as received. */
  cut?: 'unread' | 'received'
}

interface Received {
  /** `images`, `fal.submit`, `fal.status`, … */
  step: string
  body: unknown
  headers: IncomingHttpHeaders
}

interface Step {
  name: string
  method: string
  path: RegExp
  /** The header with the key; none for files. */
  key: readonly [header: string, value: string] | null
  schema?: TSchema
  form?: readonly string[]
  answer(body: unknown, state: State, match: RegExpExecArray): Scripted
}

interface State {
  origin: string
  /** Where the files are: another origin, which must not get the key. */
  fileOrigin: string
  /** How often a status says that the work is running. */
  pendingStatuses: number
  cancelled: boolean
  fileBytes: Buffer
}

const only = (properties: Record<string, TSchema>): TObject => Type.Object(properties, { additionalProperties: false })
const text = Type.String({ minLength: 1 })
const optional = Type.Optional
const bearer = ['authorization', `Bearer ${PROVIDER_KEY}`] as const
const goog = ['x-goog-api-key', PROVIDER_KEY] as const
const falKey = ['authorization', `Key ${PROVIDER_KEY}`] as const
const part = Type.Union([
  only({ text }),
  only({ inlineData: only({ mimeType: text, data: Type.String({ pattern: '^[A-Za-z0-9+/]+=*$' }) }) }),
])

const fal = (origin: string, id: string) => ({
  request_id: id,
  status_url: `${origin}/queue/requests/${id}/status`,
  response_url: `${origin}/queue/requests/${id}`,
  cancel_url: `${origin}/queue/requests/${id}/cancel`,
})

const usage = {
  total_tokens: 1066,
  input_tokens: 10,
  output_tokens: 1056,
  input_tokens_details: { text_tokens: 10, image_tokens: 0 },
}

/**
 * The requests that the providers accept, in their published forms. Everything else is a 400 with the reason. Read on
 * 2026-11-23; of the pages of ai.google.dev, of OpenAI's audio and chat, and of ElevenLabs only excerpts:
 * - OpenAI: developers.openai.com/api/reference/resources/images, …/audio and …/chat
 * - Gemini: ai.google.dev/api/generate-content and ai.google.dev/gemini-api/docs/video; the image of a video as the official
 *   SDKs send it (docs.rs/gproxy-protocol has the same form), because Veo answers 400 to `inlineData`
 * - fal: fal.ai/docs/documentation/model-apis/queue, …/pricing and fal.ai/models/fal-ai/flux-2-pro/edit/llms.txt;
 *   `x-fal-billable-units`: docs.fal.ai/documentation/serverless/publishing-to-marketplace
 * - ElevenLabs: elevenlabs.io/docs/api-reference/text-to-speech/convert; the header `character-cost` is in no page that we
 *   found: without it, the characters of the text count
 */
const STEPS: readonly Step[] = [
  {
    name: 'images',
    method: 'POST',
    path: /^\/openai\/images\/generations$/,
    key: bearer,
    schema: only({
      model: Type.RegExp(/^gpt-image-/),
      prompt: Type.String({ minLength: 1, maxLength: 32_000 }),
      n: Type.Integer({ minimum: 1, maximum: 10 }),
      size: optional(text),
      quality: optional(Type.Union(['low', 'medium', 'high', 'auto'].map(value => Type.Literal(value)))),
      output_format: optional(Type.Union(['png', 'jpeg', 'webp'].map(value => Type.Literal(value)))),
    }),
    answer: body => ({
      body: {
        created: 1,
        data: Array.from({ length: (body as { n: number }).n }, () => ({ b64_json: PNG.toString('base64') })),
        output_format: 'png',
        usage,
      },
    }),
  },
  {
    name: 'edits',
    method: 'POST',
    path: /^\/openai\/images\/edits$/,
    key: bearer,
    form: ['model', 'prompt', 'n', 'size', 'quality', 'output_format', 'image[]'],
    answer: () => ({
      body: {
        data: [{ b64_json: PNG.toString('base64') }],
        usage: { ...usage, input_tokens: 110, input_tokens_details: { text_tokens: 10, image_tokens: 100 } },
      },
    }),
  },
  {
    name: 'speech',
    method: 'POST',
    path: /^\/openai\/audio\/speech$/,
    key: bearer,
    schema: only({
      model: text,
      input: Type.String({ minLength: 1, maxLength: 4096 }),
      voice: text,
      instructions: optional(text),
      response_format: optional(text),
    }),
    answer: () => ({ body: MP3, headers: { 'content-type': 'audio/mpeg' } }),
  },
  {
    name: 'content',
    method: 'POST',
    path: /^\/gemini\/models\/gemini-[\w.-]+-image:generateContent$/,
    key: goog,
    schema: only({
      contents: Type.Array(only({ role: Type.Literal('user'), parts: Type.Array(part, { minItems: 1 }) }), {
        minItems: 1,
      }),
      generationConfig: only({
        responseModalities: Type.Array(text),
        imageConfig: optional(only({ aspectRatio: optional(text), imageSize: optional(text) })),
      }),
    }),
    answer: () => ({
      body: {
        candidates: [
          {
            content: {
              role: 'model',
              parts: [{ text: 'Here it is.' }, { inlineData: { mimeType: 'image/png', data: PNG.toString('base64') } }],
            },
            finishReason: 'STOP',
          },
        ],
        usageMetadata: {
          promptTokenCount: 10,
          candidatesTokenCount: 1120,
          thoughtsTokenCount: 80,
          promptTokensDetails: [{ modality: 'TEXT', tokenCount: 10 }],
        },
      },
    }),
  },
  {
    name: 'answer',
    method: 'POST',
    path: /^\/gemini\/models\/gemini-[\d.]+-flash(?:-lite)?:generateContent$/,
    key: goog,
    schema: only({
      contents: Type.Array(only({ role: Type.Literal('user'), parts: Type.Array(part, { minItems: 2 }) })),
      generationConfig: only({
        maxOutputTokens: Type.Integer({ minimum: 1 }),
        responseMimeType: optional(Type.Literal('application/json')),
        responseJsonSchema: optional(Type.Object({})),
      }),
    }),
    answer: () => ({
      body: {
        candidates: [
          { content: { parts: [{ text: 'Hm', thought: true }, { text: 'A boat.' }] }, finishReason: 'STOP' },
        ],
        usageMetadata: {
          promptTokenCount: 1_100,
          candidatesTokenCount: 10,
          promptTokensDetails: [
            { modality: 'TEXT', tokenCount: 100 },
            { modality: 'IMAGE', tokenCount: 1_000 },
          ],
        },
      },
    }),
  },
  {
    name: 'chat',
    method: 'POST',
    path: /^\/openai\/chat\/completions$/,
    key: bearer,
    schema: only({
      model: text,
      messages: Type.Array(
        only({ role: Type.Literal('user'), content: Type.Array(Type.Object({ type: text }), { minItems: 2 }) }),
      ),
      max_completion_tokens: Type.Integer({ minimum: 1 }),
      response_format: optional(
        only({ type: Type.Literal('json_schema'), json_schema: only({ name: text, schema: Type.Object({}) }) }),
      ),
    }),
    answer: () => ({
      body: {
        choices: [{ message: { role: 'assistant', content: 'A boat.', refusal: null }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1_000, completion_tokens: 10, total_tokens: 1_010 },
      },
    }),
  },
  {
    name: 'transcription',
    method: 'POST',
    path: /^\/openai\/audio\/transcriptions$/,
    key: bearer,
    form: ['model', 'response_format', 'language', 'file'],
    answer: () => ({ body: { text: 'Ahoy.', usage: { type: 'duration', seconds: 90 } } }),
  },
  {
    name: 'video',
    method: 'POST',
    path: /^\/gemini\/models\/veo-[\w.-]+:predictLongRunning$/,
    key: goog,
    schema: only({
      instances: Type.Array(
        only({ prompt: text, image: optional(only({ bytesBase64Encoded: text, mimeType: text })) }),
        {
          minItems: 1,
          maxItems: 1,
        },
      ),
      parameters: only({
        durationSeconds: optional(Type.Integer()),
        aspectRatio: optional(text),
        resolution: optional(text),
      }),
    }),
    answer: () => ({ body: { name: 'models/veo-3.1/operations/op1' } }),
  },
  {
    name: 'video.status',
    method: 'GET',
    path: /^\/gemini\/models\/veo-3\.1\/operations\/op1$/,
    key: goog,
    answer: (_body, state) =>
      state.pendingStatuses-- > 0
        ? { body: { name: 'models/veo-3.1/operations/op1' } }
        : {
            body: {
              name: 'models/veo-3.1/operations/op1',
              done: true,
              response: {
                generateVideoResponse: {
                  generatedSamples: [{ video: { uri: `${state.origin}/gemini/files/v1:download?alt=media` } }],
                },
              },
            },
          },
  },
  {
    name: 'video.file',
    method: 'GET',
    path: /^\/gemini\/files\/v1:download\?alt=media$/,
    key: goog,
    answer: () => ({ body: MP4, headers: { 'content-type': 'video/mp4' } }),
  },
  {
    name: 'fal.submit',
    method: 'POST',
    path: /^\/queue\/((?:fal-ai)\/[\w./-]+)$/,
    key: falKey,
    schema: only({
      prompt: text,
      image_size: optional(text),
      num_images: optional(Type.Integer({ minimum: 1, maximum: 6 })),
      seed: optional(Type.Integer()),
      output_format: optional(text),
      duration: optional(Type.Union([Type.Literal('5'), Type.Literal('10')])),
      aspect_ratio: optional(text),
      resolution: optional(text),
      image_url: optional(Type.RegExp(/^data:image\//)),
      image_urls: optional(Type.Array(Type.RegExp(/^data:image\//), { minItems: 1 })),
    }),
    answer: (_body, state) => ({ body: { status: 'IN_QUEUE', ...fal(state.origin, 'r1'), queue_position: 0 } }),
  },
  {
    name: 'fal.status',
    method: 'GET',
    path: /^\/queue\/requests\/r1\/status$/,
    key: falKey,
    answer: (_body, state) => ({
      ...(state.pendingStatuses > 0 && !state.cancelled && { status: 202 }),
      body: {
        status: state.pendingStatuses-- > 0 && !state.cancelled ? 'IN_PROGRESS' : 'COMPLETED',
        ...fal(state.origin, 'r1'),
      },
    }),
  },
  {
    name: 'fal.result',
    method: 'GET',
    path: /^\/queue\/requests\/r1$/,
    key: falKey,
    answer: (_body, state) =>
      state.cancelled
        ? { status: 400, body: { detail: 'Request was cancelled' } }
        : {
            body: { images: [{ url: `${state.fileOrigin}/files/boat.png`, width: 1024, height: 768 }], seed: 7 },
            headers: { 'x-fal-billable-units': '1.5' },
          },
  },
  {
    name: 'fal.cancel',
    method: 'PUT',
    path: /^\/queue\/requests\/r1\/cancel$/,
    key: falKey,
    answer(_body, state) {
      state.cancelled = true
      return { status: 202, body: { status: 'CANCELLATION_REQUESTED' } }
    },
  },
  {
    name: 'file',
    method: 'GET',
    path: /^\/files\/boat\.png$/,
    key: null,
    answer: (_body, state) => ({ body: state.fileBytes }),
  },
  {
    name: 'input',
    method: 'GET',
    path: /^\/files\/input\.png$/,
    key: null,
    answer: () => ({ body: PNG }),
  },
  {
    name: 'eleven',
    method: 'POST',
    path: /^\/eleven\/v1\/text-to-speech\/([A-Za-z0-9]+)\?output_format=mp3_44100_128$/,
    key: ['xi-api-key', PROVIDER_KEY],
    schema: only({ text, model_id: text, language_code: optional(text) }),
    answer: () => ({ body: MP3, headers: { 'content-type': 'audio/mpeg', 'character-cost': '6' } }),
  },
]

interface Teardown {
  teardown(work: () => unknown): void
}

/** All providers on one server of this machine. It rejects requests that are not in their published forms. */
export async function providerDouble(t: Teardown) {
  const received: Received[] = []
  const scripts = new Map<string, Scripted[]>()
  const waits = new Map<string, () => Promise<void>>()
  const state: State = { origin: '', fileOrigin: '', pendingStatuses: 1, cancelled: false, fileBytes: PNG }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const raw = Buffer.concat(chunks)
    const { method = '', url = '', headers } = request
    const [step, match] = STEPS.flatMap(step => {
      const match = step.method === method ? step.path.exec(url) : null
      return match === null ? [] : [[step, match] as const]
    })[0] ?? [undefined, undefined]
    if (step === undefined) return send(response, { status: 404, body: { detail: `There is no ${method} ${url}` } })
    const { fault, body } = await read(step, raw, headers)
    if (fault !== undefined) {
      received.push({ step: 'fault', body: `${step.name}: ${fault}`, headers })
      return send(response, { status: 400, body: { error: { message: fault }, detail: fault } })
    }
    const script = scripts.get(step.name)?.shift()
    if (script?.cut === 'unread') return void response.destroy()
    received.push({ step: step.name, body, headers })
    await waits.get(step.name)?.()
    if (script?.cut === 'received') return void response.destroy()
    send(response, script ?? step.answer(body, state, match))
  }

  async function listen(): Promise<string> {
    const server = createServer((request, response) => void handle(request, response))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    t.teardown(() => {
      server.closeAllConnections()
      server.close()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  state.origin = await listen()
  state.fileOrigin = await listen()
  const { origin } = state

  return {
    urls: {
      openai: `${origin}/openai`,
      gemini: `${origin}/gemini`,
      fal: `${origin}/queue`,
      elevenlabs: `${origin}/eleven`,
    },
    state,
    received,
    steps: () => received.map(({ step }) => step),
    /** Answers the next requests of a step. */
    script(step: string, ...answers: Scripted[]): void {
      scripts.set(step, [...(scripts.get(step) ?? []), ...answers])
    },
    /** Forgets everything before the next test. */
    reset(): void {
      received.length = 0
      scripts.clear()
      waits.clear()
      Object.assign(state, { pendingStatuses: 1, cancelled: false, fileBytes: PNG })
    },
    /** Runs before each answer of a step. */
    before(step: string, work: () => Promise<void>): void {
      waits.set(step, work)
    },
  }
}

async function read(step: Step, raw: Buffer, headers: IncomingHttpHeaders): Promise<{ fault?: string; body: unknown }> {
  const [header, value] = step.key ?? ['authorization', undefined]
  if (headers[header] !== value) return { fault: `Wrong key in ${header}`, body: null }
  if (step.form !== undefined) {
    const type = headers['content-type'] ?? ''
    const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': type } }).formData()
    const unknown = [...form.keys()].filter(name => !step.form?.includes(name))
    return { ...(unknown.length > 0 && { fault: `Unknown ${unknown}` }), body: Object.fromEntries(form) }
  }
  if (step.schema === undefined) return { ...(raw.length > 0 && { fault: 'A body' }), body: null }
  if (headers['content-type'] !== 'application/json') return { fault: 'Not JSON', body: null }
  const body: unknown = JSON.parse(raw.toString())
  const first = Value.Errors(step.schema, body).First()
  return { ...(first !== undefined && { fault: `${first.path} ${first.message}` }), body }
}

function send(response: ServerResponse, { status = 200, body, headers = {} }: Scripted): void {
  if (Buffer.isBuffer(body)) response.writeHead(status, headers).end(body)
  else response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body ?? {}))
}
