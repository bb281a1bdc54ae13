import type { CallerTools, ToolRequest } from '../mcp/mcp-types.ts'
import type { CallTool } from './call.ts'
import type { Asking, Surface, Surfaces } from './surfaces.ts'
import type { ToolCall } from './tool-call.ts'

export interface CallerToolsOptions extends Asking, Pick<ToolCall, 'onDisconnect' | 'origin' | 'argumentsFault'> {
  surfaces: Surfaces
  callTool: CallTool
  /** What the client of a call calls itself. */
  clientName?(meta: ToolRequest['meta']): string | undefined
  /** Called with the name of the called tool, for the log. Not called for unknown names, which may contain anything. */
  onCall(tool: string): void
}

const IDEMPOTENCY_META = 'connector-gateway/idempotency-key'

/** Creates the tools of one caller, for the dispatcher of POST /mcp. */
export function callerTools(options: CallerToolsOptions): CallerTools {
  const { identity, caller, narrowing, origin, argumentsFault, surfaces, callTool, clientName, onDisconnect, onCall } =
    options

  // One request uses one surface, even if it asks twice.
  let surface: Surface | Promise<Surface> | undefined

  function withSurface<T>(use: (surface: Surface) => T | Promise<T>): T | Promise<T> {
    surface ??= surfaces.of({ identity, caller, narrowing })
    return surface instanceof Promise ? surface.then(use) : use(surface)
  }

  return {
    list: () => withSurface(({ list }) => list),
    inputSchema: name => withSurface(({ tools }) => tools.get(name)?.entry.inputSchema),
    call(request) {
      return withSurface(surface => {
        if (surface.tools.has(request.name)) onCall(request.name)
        return callTool(surface, {
          name: request.name,
          arguments: request.arguments,
          argumentsFault,
          identity,
          caller,
          idempotencyKey: idempotencyKeyOf(request),
          origin,
          client: request.client,
          clientName: clientName?.(request.meta),
          onDisconnect,
        })
      })
    },
  }
}

/** The idempotency key as it was sent. Two different keys become an invalid one. */
function idempotencyKeyOf({ headers, meta }: ToolRequest): unknown {
  const [header, field] = [headers['idempotency-key'], meta?.[IDEMPOTENCY_META]]
  return header === undefined || field === undefined || header === field ? (header ?? field) : [header, field]
}
