import { Type } from '@sinclair/typebox'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import { explain, type ToolLookups } from './explain.ts'
import { Explanation } from './explanation.ts'

/** `manage__explain_tool`: why the caller can or cannot call a tool. */
export function explainTool(lookups: ToolLookups): AnyTool {
  return defineTool({
    name: 'manage__explain_tool',
    title: 'Explain a tool',
    description:
      'Explain why you can or cannot call a tool: it is switched off, has no connected account, needs a reauthorization or a ' +
      'scope, exceeds the available funds, or requires another credential or role. Also returns with which of your accounts ' +
      'it works. For the tool of a registered MCP server (org__<slug>__<tool>), also whether it is hidden, not authorized ' +
      'yet, or rejected. Use this when a tool is missing from the list or fails with needs_reauth or scope_missing.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 128, description: 'The tool’s name, <capability>__<operation>.' }),
        account: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 80,
            description: 'The alias of an account, to ask only about this account.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    output: Explanation,

    async run(question, context) {
      const explanation = { name: question.name, ...(await explain(lookups, question, context)) }
      return structured(explanation, explanation.explanation)
    },
  })
}
