import type { AnyTool } from '../../services/definitions/define-tool.ts'
import type { FixtureTool } from './fixture-tools.ts'

/** The fixture tools as an additional family of this service. */
export function fixtureFamily(tools: readonly FixtureTool[]): AnyTool[] {
  return tools.map(({ run, ...entry }) => ({
    entry,
    capability: 'conformance',
    readOnly: false,
    effect: 'write',
    needsAccount: false,
    gate: undefined,
    organization: 'required',
    refuse: () => undefined,
    mend: () => undefined,
    run: async args => run(args as Readonly<Record<string, unknown>>),
  }))
}
