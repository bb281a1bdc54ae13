import { AjvCompiler } from '@fastify/ajv-compiler'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyInstance, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import fp from 'fastify-plugin'

type Validate = ReturnType<FastifySchemaCompiler<object>>
type Serialize = ReturnType<FastifySerializerCompiler<object>>

// The types of these packages describe what they use, but their functions take what Fastify passes.
const validatorOf = AjvCompiler()(
  {},
  { customOptions: { removeAdditional: false, coerceTypes: false, allErrors: false } },
) as unknown as FastifySchemaCompiler<object>
const serializerOf = SerializerSelector()({}, {}) as FastifySerializerCompiler<object>

/** What is compiled, for all servers of this process: the gateway and the dashboard have routes in common. */
const validators = new WeakMap<object, Validate>()
const serializers = new WeakMap<object, Serialize>()

/**
 * Compiles the schemas of routes at their first use, with Fastify's own compilers: most processes never use most schemas,
 * and a start should not wait for them. Rejects a server with schemas of `addSchema`, which the kept compilers do not know.
 */
async function schemaCompilers(app: FastifyInstance) {
  const scopes = [app]
  app.addHook('onRegister', function rememberScope(scope) {
    scopes.push(scope)
  })
  app.addHook('onReady', function rejectSharedSchemas(done) {
    const [shared] = scopes.flatMap(scope => Object.keys(scope.getSchemas()))
    done(shared === undefined ? undefined : sharedSchema(shared))
  })
  app.setValidatorCompiler<object>(part => {
    const validate: Validate = value => {
      const compiled = kept(validators, part, validatorOf)
      const result = compiled(value)
      validate.errors = compiled.errors ?? null
      return result
    }
    return validate
  })
  app.setSerializerCompiler<object>(part => value => kept(serializers, part, serializerOf)(value))
}

function sharedSchema(id: string): TypeError {
  return new TypeError(`The schema ${id} was added with addSchema, which is not supported. Write it in the route.`)
}

function kept<P extends { schema: object }, T>(compiled: WeakMap<object, T>, part: P, compile: (part: P) => T): T {
  const known = compiled.get(part.schema)
  if (known !== undefined) return known
  const result = compile(part)
  compiled.set(part.schema, result)
  return result
}

export default fp(schemaCompilers, { name: 'schema-compilers', fastify: '5.x' })
