import { decodeJwt } from 'jose'
import { type SpecimenTools, specimenTools } from './specimen-tools.ts'

/** The specimen tools, whose `headers` answers who called: what `nameOf` finds in the headers of the request. */
export function identityTools(
  nameOf: (headers: Readonly<Record<string, string>>) => string | undefined = subjectOf,
): SpecimenTools {
  const tools = specimenTools()
  return {
    ...tools,
    async call(call) {
      if (call.name !== 'headers') return tools.call(call)
      return { content: [], structuredContent: { name: nameOf(call.headers) ?? null, n: call.args.n ?? null } }
    },
  }
}

/** The subject of a bearer JWT. */
function subjectOf({ authorization = '' }: Readonly<Record<string, string>>): string | undefined {
  return decodeJwt(authorization.replace('Bearer ', '')).sub
}
