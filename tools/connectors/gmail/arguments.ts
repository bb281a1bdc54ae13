import type { TString } from '@sinclair/typebox'
import { converted, list, oneOf, optional, text } from '../../../services/definitions/arguments.ts'

/** The path of the account's mailbox. */
export const ME = '/gmail/v1/users/me'

export const readScopes = ['https://www.googleapis.com/auth/gmail.readonly']
export const writeScopes = ['https://www.googleapis.com/auth/gmail.compose']
export const changeScopes = ['https://www.googleapis.com/auth/gmail.modify']

/** The fields of a message that results keep. */
export const messageFields = 'id threadId labelIds payload|gmail-message'

/** A thread. */
export const thread_id = id('The ID of the thread, from search_threads or threadId of a message.')

/** An ID that Gmail assigned. */
export function id(description: string): TString {
  return text(description, 100, { pattern: '^[A-Za-z0-9_-]+$' })
}

const ADDRESS = "[\\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*"
const address = text('', 320, { pattern: `^([^<>\\r\\n]{1,200} <${ADDRESS}>|${ADDRESS})$` })

function addresses(description: string, max = 100) {
  return list(address, `${description} ada@example.com or Ada Lovelace <ada@example.com>.`, max)
}

const email = {
  to: addresses('The recipients:'),
  cc: optional(addresses('The recipients of copies:')),
  bcc: optional(addresses('The recipients of hidden copies:')),
  body: text('The text: Markdown, or plain text with format text. Without the quoted message.', 32_000),
  format: {
    ...optional(oneOf(['markdown', 'text'], 'markdown (default) sends formatted text too; text sends it as it is.')),
    default: 'markdown',
  },
}

/** A new email. */
export const newEmail = converted('email', {
  ...email,
  subject: text('The subject.', 500, { pattern: '^[^\\r\\n]+$' }),
})

/** An answer, which other mail programs show below the message with this Message-ID. */
export const answer = converted('email', {
  ...email,
  subject: text(
    'The subject of the message, after Re:, for example: Re: Offsite. Gmail needs the same one in a thread.',
    500,
    {
      pattern: '^[^\\r\\n]+$',
    },
  ),
  in_reply_to: text('message_id of the message to answer, from get_message or get_thread.', 998, {
    pattern: '^<[!-;=?-~]+>$',
  }),
  references: optional(
    text('references of the message to answer, unchanged. Omit it if the message has no references.', 20_000, {
      pattern: '^<[!-;=?-~]+>([ ,]*<[!-;=?-~]+>)*$',
    }),
  ),
})
