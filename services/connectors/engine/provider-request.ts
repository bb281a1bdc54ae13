import type { AccountSettings } from '../../accounts/account.ts'
import type { ConnectorDefinition, ProviderRequest } from '../../definitions/define-connector.ts'
import { compileBody, compileHeaders, type PreparedRequest } from './request/build-request.ts'
import { fillUrl } from './request/fill-url.ts'
import { compileInterpolation } from './request/template.ts'

/** What stands in a request that no tool makes. */
export interface ProviderRequestScope {
  /** The account's; before there is one, those that are known so far. */
  readonly settings: AccountSettings
  /** What other places stand for, by name; what is undefined is left out, and refused in the URL. */
  readonly places?: Readonly<Record<string, string | undefined>>
}

/**
 * A request that no tool makes, without its credential: a probe, a discovery, a revocation. Throws invalid_request for a
 * value that its URL needs and is missing, or that cannot stand where it is put.
 */
export function buildProviderRequest(
  { baseUrl, headers = {} }: Pick<ConnectorDefinition, 'baseUrl' | 'headers'>,
  request: ProviderRequest,
  { settings, places = {} }: ProviderRequestScope,
): PreparedRequest {
  const { json, form } = request
  const scope = { args: places, settings }
  const body = json !== undefined ? compileBody({ json }) : form !== undefined ? compileBody({ form }) : undefined
  const built = body?.(scope)
  const url = fillUrl(request.url.startsWith('/') ? baseUrl.replace(/\/+$/, '') + request.url : request.url, scope)
  for (const [name, template] of Object.entries(request.query ?? {})) {
    const value = compileInterpolation(template)(scope)
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return {
    method: request.method ?? (built === undefined ? 'GET' : 'POST'),
    url,
    headers: {
      ...compileHeaders({ accept: 'application/json', ...headers })(scope),
      ...(built?.type !== undefined && { 'content-type': built.type }),
    },
    ...(built !== undefined && { body: built.content }),
    ...(built?.form !== undefined && { form: built.form }),
  }
}
