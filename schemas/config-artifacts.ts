import { Type } from '@sinclair/typebox'

/** The variables of the bucket for the files of tools. */
export const ARTIFACT_VARIABLES = {
  ARTIFACTS_S3_BUCKET: Type.Optional(
    Type.String({ pattern: '^[0-9A-Za-z][0-9A-Za-z._-]{1,62}$', description: 'the name of a bucket' }),
  ),
  ARTIFACTS_S3_REGION: Type.Optional(
    Type.String({ pattern: '^[0-9a-z-]{1,40}$', description: 'the region of the bucket, such as eu-central-1' }),
  ),
  ARTIFACTS_S3_ENDPOINT: Type.Optional(
    Type.String({ description: 'the origin of a service with the API of S3 (http or https, no path)' }),
  ),
  ARTIFACTS_S3_PREFIX: Type.Optional(
    Type.String({
      maxLength: 500,
      pattern: '^([0-9A-Za-z._-]+/)+$',
      description:
        'what the names of objects begin with, such as artifacts/: letters, digits, ".", "_", "-", each part ending with "/"',
    }),
  ),
  ARTIFACTS_S3_ACCESS_KEY_ID: Type.Optional(
    Type.String({ pattern: '^\\S{3,128}$', description: 'the ID of an access key for the bucket' }),
  ),
  ARTIFACTS_S3_SECRET_ACCESS_KEY: Type.Optional(
    Type.String({ pattern: '^\\S{8,}$', description: 'the secret of that access key' }),
  ),
}
