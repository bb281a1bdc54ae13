import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { EgressStream } from '../../../../lib/egress/egress.ts'
import type { Artifacts } from '../../../artifacts/artifacts.ts'
import type { ConnectorCall } from '../../../definitions/tool-runner.ts'

/** Stores a streaming body as a file of the caller's, and answers its signed URL. Throws what the store throws. */
export async function artifactResult(
  artifacts: Pick<Artifacts, 'create' | 'urlOf'>,
  { caller, origin, signal }: Pick<ConnectorCall, 'caller' | 'origin' | 'signal'>,
  { body }: Pick<EgressStream, 'body'>,
  name: string,
): Promise<CallToolResult> {
  const { orgId, userId } = caller
  const artifact = await artifacts.create({ orgId, userId, name, body, signal })
  const url = artifacts.urlOf(artifact, origin)
  const content = {
    artifact: artifact.id,
    name: artifact.name,
    media_type: artifact.mediaType,
    bytes: artifact.bytes,
    url,
    expires_at: artifact.expiresAt.toISOString(),
  }
  return {
    content: [
      { type: 'text', text: JSON.stringify(content) },
      { type: 'resource_link', uri: url, name: artifact.name, mimeType: artifact.mediaType, size: artifact.bytes },
    ],
    structuredContent: content,
  }
}
