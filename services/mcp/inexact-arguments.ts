/**
 * Arguments of which JSON.parse has changed a number: 1e400 became Infinity, 9007199254740993 another integer. They must
 * not reach a tool, which would pass the changed number on.
 */
export class InexactArguments {
  readonly #fault: string

  constructor(args: object, fault: string) {
    Object.assign(this, args)
    this.#fault = fault
  }

  /** What is wrong with these arguments; undefined for arguments that are as the client sent them. */
  static faultOf(args: object): string | undefined {
    return #fault in args ? args.#fault : undefined
  }
}
