import type { AccountSettings } from '../../accounts/account.ts'
import type { ConnectorDefinition, ProviderRequest } from '../../definitions/define-connector.ts'
import { compileBody, compileHeaders, type PreparedRequest } from './request/build-request.ts'
import { fillUrl } from './request/fill-url.ts'
import { compileInterpolation } from './request/template.ts'

/** The values for the placeholders of a request outside of a tool. */
interface ProviderRequestScope {
  /** The settings of the account, or those known so far. */
  readonly settings: AccountSettings
  /** The values of other placeholders by name. Undefined values are left out, and rejected in the URL. */
  readonly placeholders?: Readonly<Record<string, string | undefined>>
}

/**
 * Builds a request outside of a tool, without its credential: a probe, a discovery, a revocation. Throws
 * invalid_request if the URL needs a value that is missing or invalid.
 */
export function buildProviderRequest(
  { baseUrl, headers = {} }: Pick<ConnectorDefinition, 'baseUrl' | 'headers'>,
  request: ProviderRequest,
  { settings, placeholders = {} }: ProviderRequestScope,
): PreparedRequest {
  const { json, form } = request
  const scope = { args: placeholders, settings }
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
      ...(built !== undefined && { 'content-type': built.type }),
    },
    ...(built !== undefined && { body: built.content }),
    ...(built?.form !== undefined && { form: built.form }),
  }
}
