import { Type } from '@sinclair/typebox'
import { Id } from '../schemas/primitives/ids.ts'
import type { Uploads } from '../services/artifacts/uploads.ts'
import { type AnyTool, defineTool, structured } from '../services/definitions/define-tool.ts'

/** `files__upload`: a URL for one file of the user. */
export function filesUpload(uploads: Pick<Uploads, 'offer'>): AnyTool {
  return defineTool({
    name: 'files__upload',
    title: 'Upload a file',
    description:
      'Get a URL for uploading one file within 15 minutes. Run the returned command where the file is, or PUT its ' +
      'bytes. For a day, tools accept its ID (art_…) as a file argument. Never write a file as base64.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    input: Type.Object(
      {
        file_name: Type.String({ minLength: 1, maxLength: 200, description: 'The name of the file: report.csv.' }),
        media_type: Type.Optional(
          Type.String({
            maxLength: 100,
            pattern: '^[A-Za-z0-9.+-]+/[A-Za-z0-9.+-]+$',
            description:
              'Media type, such as text/csv. Only used to tell text formats apart; other types are detected from the content.',
          }),
        ),
        max_bytes: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 2 * 1024 ** 3,
            description: 'Larger files are rejected. Default: 2 GiB.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      artifact: Id('art'),
      upload_url: Type.String(),
      method: Type.Literal('PUT'),
      command: Type.String(),
      max_bytes: Type.Integer(),
      expires_at: Type.String(),
    }),

    async run({ file_name: name, media_type: mediaType, max_bytes: maxBytes }, { caller, origin }) {
      const { orgId, userId } = caller
      const offer = await uploads.offer({ orgId, userId, name, mediaType, maxBytes }, origin)
      return structured({
        artifact: offer.id,
        upload_url: offer.url,
        method: 'PUT',
        command: `curl --fail-with-body --upload-file ${quoted(`./${offer.name}`)} ${quoted(offer.url)}`,
        max_bytes: offer.maxBytes,
        expires_at: offer.expiresAt.toISOString(),
      })
    },
  })
}

/** Quotes a text for POSIX shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
