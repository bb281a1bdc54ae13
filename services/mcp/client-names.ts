import { LRUCache } from 'lru-cache'
import { isJsonObject } from '../../lib/http/json.ts'
import { atMost } from '../../lib/lru.ts'
import { sanitizeLine } from '../../lib/sanitize-text.ts'
import type { Meta } from '../../schemas/tools/mcp.ts'
import { holderOf, type Identity } from '../identity/identity.ts'
import { CLIENT_INFO_KEY } from './protocol.ts'

const MAX_NAME = 80
/** How much of a text of the client is read. */
const MAX_READ = 200

/** Who sends a request: the credential, and the User-Agent, because several clients can share a credential. */
interface Sender {
  identity: Identity
  userAgent: string | undefined
}

/** What clients call themselves, for the list of calls. It decides nothing: anyone can claim any name. */
export interface ClientNames {
  /** Remembers the `clientInfo` of an `initialize`: later requests of the older revisions do not repeat it. */
  introduce(sender: Sender, clientInfo: unknown): void
  /** The name in the `_meta` of a call, else that of the sender's last `initialize` in this process; undefined without one. */
  of(sender: Sender, meta: Meta | undefined): string | undefined
}

export function createClientNames(): ClientNames {
  const introduced = new LRUCache<string, string>(atMost(20_000))
  /** By the text of the client, because each stateless call repeats it. */
  const cleaned = new LRUCache<string, string>(atMost(1_000))

  function nameIn(clientInfo: unknown): string | undefined {
    if (!isJsonObject(clientInfo)) return undefined
    const { title, name } = clientInfo
    const text = (typeof title === 'string' && title !== '' ? title : typeof name === 'string' ? name : '').slice(
      0,
      MAX_READ,
    )
    let clean = cleaned.get(text)
    if (clean === undefined) {
      clean = sanitizeLine(text, MAX_NAME)
      cleaned.set(text, clean)
    }
    return clean === '' ? undefined : clean
  }

  return {
    introduce(sender, clientInfo) {
      const name = nameIn(clientInfo)
      if (name !== undefined) introduced.set(keyOf(sender), name)
    },
    of: (sender, meta) =>
      meta?.[CLIENT_INFO_KEY] === undefined ? introduced.get(keyOf(sender)) : nameIn(meta[CLIENT_INFO_KEY]),
  }
}

function keyOf({ identity, userAgent = '' }: Sender): string {
  return `${holderOf(identity)} ${userAgent.slice(0, MAX_READ)}`
}
