import { Type } from '@sinclair/typebox'

const Id = Type.Union([Type.String(), Type.Integer()])

/** The body of POST /mcp: one JSON-RPC 2.0 message of MCP. */
export const McpRequest = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Type.Optional(Id),
  method: Type.Optional(Type.String()),
  params: Type.Optional(Type.Object({}, { additionalProperties: true })),
})

/** What POST /mcp answers a request with: a result, or an error of the protocol. */
export const McpAnswer = Type.Union([
  Type.Object({ jsonrpc: Type.Literal('2.0'), id: Id, result: Type.Object({}, { additionalProperties: true }) }),
  Type.Object({
    jsonrpc: Type.Literal('2.0'),
    id: Type.Union([Id, Type.Null()]),
    error: Type.Object({ code: Type.Integer(), message: Type.String(), data: Type.Optional(Type.Unknown()) }),
  }),
])
