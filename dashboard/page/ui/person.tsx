/** The name of a member, which may be a long address. */
export function Person({ name }: { name: string }) {
  return (
    <span className="person truncate" title={name}>
      {name}
    </span>
  )
}
