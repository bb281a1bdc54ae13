import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/layout.tsx'
import { Empty } from '../ui/states.tsx'

/** What an unknown path shows. */
export default function NotFound() {
  return (
    <Card>
      <Empty
        icon="circle-help"
        title="There is no such page"
        action={<ButtonLink href="/">Go to the start page</ButtonLink>}
      >
        The link may be old, or the page may belong to another organization.
      </Empty>
    </Card>
  )
}
