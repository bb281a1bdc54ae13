import { flag, optional } from '../../services/definitions/arguments.ts'

/** Lets a call replace a text that has what Markdown cannot hold: the `unless` of a guard. */
export const replace_all = optional(
  flag('Replace the text even if it has elements that Markdown cannot hold. Ask the user first.'),
)
