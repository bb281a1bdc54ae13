import { readFileSync } from 'node:fs'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { parse } from 'qs'
import { ApiFailure } from './api-failure.ts'

const file = JSON.parse(readFileSync(new URL('parameters.json', import.meta.url), 'utf8'))

/** The version of the SDK that the schemas were made from. */
export const SCHEMA_VERSION: string = file.sdk

// A form has only texts, so numbers and booleans are read from them.
const ajv = new Ajv({ coerceTypes: true, strict: false, allErrors: false })
ajv.addSchema({ $id: 'stripe', ...file })
const validators = new Map<string, ValidateFunction>(
  Object.keys(file.requests).map(route => [
    route,
    ajv.compile({
      $ref: `stripe#/requests/${route.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll(' ', '%20')}`,
    }),
  ]),
)

/** Parses a form or a query. Throws the failure of Stripe for a request or a parameter that does not exist. */
export function readParameters(route: string, form: string): Record<string, unknown> {
  const validate = validators.get(route)
  if (validate === undefined)
    throw new ApiFailure(404, { type: 'invalid_request_error', message: `The double has no ${route}.` })
  const parameters = parse(form, { depth: 10, arrayLimit: 100, allowDots: false }) as Record<string, unknown>
  if (!validate(parameters)) throw invalid(route, validate.errors?.[0])
  return parameters
}

function invalid(route: string, error: ErrorObject | undefined): ApiFailure {
  const { additionalProperty, missingProperty } = (error?.params ?? {}) as Record<string, string>
  const path = error?.instancePath.slice(1).split('/') ?? []
  const param = [...path, additionalProperty ?? missingProperty ?? ''].filter(Boolean).join('.')
  const code = additionalProperty ? 'parameter_unknown' : missingProperty ? 'parameter_missing' : 'parameter_invalid'
  return new ApiFailure(400, {
    type: 'invalid_request_error',
    code,
    param,
    message: `${route}: ${param} ${error?.message}`,
  })
}
