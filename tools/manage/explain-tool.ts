import { Type } from '@sinclair/typebox'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import { explain, type ToolLookups } from './explain.ts'
import { Explanation } from './explanation.ts'

/** `manage__explain_tool`: why a tool can or cannot be called by who asks. */
export function explainTool(lookups: ToolLookups): AnyTool {
  return defineTool({
    name: 'manage__explain_tool',
    title: 'Explain a tool',
    description:
      'Tells why you can or cannot call a tool: whether it is switched off, lacks a connected account, needs an account ' +
      'reauthorized, misses a scope, costs money that is not there, or needs another credential or role; and with which of your accounts it works. Of a ' +
      'registered MCP server’s tool (org__<slug>__<tool>) also whether it is hidden, not authorized yet, or was set aside. ' +
      'Use it when a tool is missing from the list or fails with needs_reauth or scope_missing.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 128, description: 'The tool’s name, <capability>__<operation>.' }),
        account: Type.Optional(
          Type.String({ minLength: 1, maxLength: 80, description: 'Only with this account: its alias.' }),
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
