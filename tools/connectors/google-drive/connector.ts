import { defineConnector } from '../../../services/definitions/define-connector.ts'
import { googleApp, googleErrors, googleOAuth } from '../google.ts'
import { collaborationTools } from './tools/collaboration.ts'
import { fileTools } from './tools/files.ts'

/** The Google Drive API, version 3. An account is one person. */
export const googleDrive = defineConnector({
  id: 'google-drive',
  name: 'Google Drive',
  category: 'knowledge',
  description:
    'Search and list files; read documents as Markdown; download, export, create, upload, move, copy and trash files; share them; comment.',
  icon: { simpleIcon: 'googledrive' },
  baseUrl: 'https://www.googleapis.com',
  auth: {
    ...googleOAuth,
    scopes: {
      'https://www.googleapis.com/auth/drive.readonly':
        'See and download all your files, their comments, and who they are shared with.',
    },
    optionalScopes: {
      'https://www.googleapis.com/auth/drive': 'Create, change, share, comment and delete all your files.',
    },
  },
  oauthApp: googleApp('Google Drive API', 'restricted'),
  identity: {
    request: { url: '/drive/v3/about', query: { fields: 'user' } },
    label: '{/user/emailAddress}',
    key: '{/user/permissionId}',
  },
  errors: {
    ...googleErrors,
    // https://developers.google.com/workspace/drive/api/guides/handle-errors
    rateLimited: [...(googleErrors.rateLimited ?? []), 'sharingRateLimitExceeded', 'dailyLimitExceeded'],
    advice: {
      fileNotDownloadable: 'Read a Google document with read_document, or export it with export_file.',
      fileNotExportable: 'Read a file that is not a Google document with read_text_file or download_file.',
      exportSizeLimitExceeded: 'Google exports at most 10 MB. Give the user the webViewLink of get_file.',
      storageQuotaExceeded: 'Ask the user to free space in their Drive.',
    },
  },
  tools: [...fileTools, ...collaborationTools],
})
