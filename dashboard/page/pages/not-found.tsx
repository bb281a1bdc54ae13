import { ButtonLink } from '../ui/button.tsx'
import { PageHead } from '../ui/layout.tsx'

/** What an unknown path shows. */
export default function NotFound() {
  return (
    <PageHead action={<ButtonLink href="/">Go to the start page</ButtonLink>}>
      The link may be old, or the page may belong to another organization.
    </PageHead>
  )
}
