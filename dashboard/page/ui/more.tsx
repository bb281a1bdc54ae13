import { Button } from './button.tsx'

interface MoreProps {
  shown: number
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

/** The foot of a list: how many rows are shown, and a button for more. */
export function More({ shown, query }: MoreProps) {
  if (!query.hasNextPage) return null
  return (
    <div className="more">
      <span className="muted number">{shown} shown</span>
      <Button size="small" busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
        Show more
      </Button>
    </div>
  )
}
