import type { Identity } from '../identity/identity.ts'
import type { CallerTools, ToolRequest } from '../mcp/dispatch.ts'
import type { Caller } from '../org-resolution/caller.ts'
import type { CallTool } from './call.ts'
import type { Surface, Surfaces } from './surfaces.ts'

/** Who asks in one request, and how it is told that he has gone. */
export interface Asking {
  identity: Identity
  caller: Caller | null
  onDisconnect(listener: () => void): void
  /** Told which tool is called, for the log. */
  onCall(tool: string): void
}

const IDEMPOTENCY_META = 'connector-gateway/idempotency-key'

/** The tools of one caller, as the dispatcher of POST /mcp asks for them. */
export function callerTools(surfaces: Surfaces, callTool: CallTool, asking: Asking): CallerTools {
  const { identity, caller, onDisconnect } = asking

  function withSurface<T>(use: (surface: Surface) => T | Promise<T>): T | Promise<T> {
    const surface = surfaces.of(caller)
    return surface instanceof Promise ? surface.then(use) : use(surface)
  }

  return {
    list: () => withSurface(({ list }) => list),
    inputSchema: name => withSurface(({ tools }) => tools.get(name)?.entry.inputSchema),
    call(request) {
      asking.onCall(request.name)
      return withSurface(surface =>
        callTool(surface, {
          name: request.name,
          arguments: request.arguments,
          identity,
          caller,
          idempotencyKey: idempotencyKeyOf(request),
          onDisconnect,
        }),
      )
    },
  }
}

function idempotencyKeyOf({ headers, meta }: ToolRequest): string | undefined {
  const key = headers['idempotency-key'] ?? meta?.[IDEMPOTENCY_META]
  return typeof key === 'string' ? key : undefined
}
