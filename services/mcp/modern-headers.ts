import { isJsonObject } from '../../lib/http/json.ts'
import type { Meta, RpcRequest } from '../../schemas/tools/mcp.ts'
import { decodeHeader, type Headers, headerOf } from './headers.ts'
import { RPC_ERRORS, type RpcError } from './json-rpc.ts'
import { CAPABILITIES_KEY, MODERN_VERSIONS, VERSION_KEY } from './protocol.ts'

/** Why a modern request is answered 400 before anything runs. */
export interface BadRequest {
  error: RpcError
  message: string
  data?: { supported: readonly string[]; requested: string }
}

/**
 * Validates the `_meta` of a request of 2026-07-28, then the headers that repeat parts of the body so that proxies can
 * route by them. The order is that of the official server: an unsupported version is reported before a missing header,
 * because the client needs the list of versions.
 */
export function validateEnvelope(headers: Headers, { method, params }: RpcRequest): BadRequest | undefined {
  const meta: Meta = params?._meta ?? {}
  const version = meta[VERSION_KEY]
  if (typeof version !== 'string') return invalid(VERSION_KEY, 'a string')
  if (!isJsonObject(meta[CAPABILITIES_KEY])) return invalid(CAPABILITIES_KEY, 'an object')

  const called = headerOf(headers, 'mcp-protocol-version')
  if (called !== undefined && called !== version) return mismatch('MCP-Protocol-Version', called, version)
  if (!MODERN_VERSIONS.includes(version))
    return {
      error: RPC_ERRORS.unsupportedVersion,
      message: `Unsupported protocol version: ${version}`,
      data: { supported: MODERN_VERSIONS, requested: version },
    }
  if (called === undefined) return missing('MCP-Protocol-Version', version)

  const named = headerOf(headers, 'mcp-method')
  if (named === undefined) return missing('Mcp-Method', method)
  return named === method ? undefined : mismatch('Mcp-Method', named, method)
}

/** Validates `Mcp-Name`, which repeats the name of the called tool. */
export function validateName(headers: Headers, name: string): BadRequest | undefined {
  const header = headerOf(headers, 'mcp-name')
  if (header === undefined) return missing('Mcp-Name', name)
  const decoded = decodeHeader(header)
  return decoded === name ? undefined : mismatch('Mcp-Name', decoded ?? header, name)
}

/** Validates the `Mcp-Param-*` headers, which repeat the arguments that the tool's schema marks with `x-mcp-header`. */
export function validateParams(headers: Headers, schema: object, args: unknown): BadRequest | undefined {
  for (const [mark, value] of markedArguments(schema, args)) {
    const refusal = validateParam(headers, mark, value)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

function validateParam(headers: Headers, mark: string, value: string | number | boolean): BadRequest | undefined {
  const name = `Mcp-Param-${mark}`
  const header = headerOf(headers, name.toLowerCase())
  if (header === undefined) return missing(name, String(value))
  if (Array.isArray(headers[name.toLowerCase()])) return mismatch(name, header, String(value))
  const decoded = decodeHeader(header)
  if (decoded === String(value)) return undefined
  // 42 and 42.0 are the same number.
  if (
    typeof value === 'number' &&
    decoded !== undefined &&
    /^-?\d+(\.\d+)?$/.test(decoded) &&
    Number(decoded) === value
  )
    return undefined
  return mismatch(name, decoded ?? header, String(value))
}

function invalid(key: string, form: string): BadRequest {
  return { error: RPC_ERRORS.invalidParams, message: `Invalid params: params._meta needs ${key}, ${form}.` }
}

function missing(header: string, expected: string): BadRequest {
  return {
    error: RPC_ERRORS.headerMismatch,
    message: `Header mismatch: the ${header} header is missing; the body says ${JSON.stringify(expected)}.`,
  }
}

function mismatch(header: string, value: string, expected: string): BadRequest {
  return {
    error: RPC_ERRORS.headerMismatch,
    message: `Header mismatch: the ${header} header says ${JSON.stringify(value)}, the body ${JSON.stringify(expected)}.`,
  }
}

/** The types of arguments that a header can repeat. */
type Repeated = string | number | boolean

/**
 * The arguments that a tool's schema marks with `x-mcp-header`, with their marks, for the `Mcp-Param-*` headers that
 * repeat them (2026-07-28). An absent or null argument needs no header. Only marks within `properties`, at any depth,
 * count.
 */
export function markedArguments(schema: object, args: unknown): readonly (readonly [mark: string, value: Repeated])[] {
  const marked: [string, Repeated][] = []
  collect(schema, args, marked)
  return marked
}

function collect(schema: object, args: unknown, marked: [string, Repeated][]): void {
  const properties = 'properties' in schema ? schema.properties : undefined
  if (!isJsonObject(properties) || !isJsonObject(args)) return
  for (const name in properties) {
    const property = properties[name]
    if (!isJsonObject(property) || !Object.hasOwn(args, name)) continue
    const mark = property['x-mcp-header']
    const value = args[name]
    if (typeof mark !== 'string') collect(property, value, marked)
    else if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
      marked.push([mark, value])
  }
}
