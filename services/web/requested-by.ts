/** Who asks for something, and for how long they wait. */
export interface RequestedBy {
  orgId: string
  signal?: AbortSignal | undefined
}
