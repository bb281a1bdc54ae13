import { useState } from 'react'
import { request } from '../../lib/api.ts'
import { useAction } from '../../lib/queries.ts'
import { takeFragment } from '../../lib/token.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { PageHead, Section } from '../../ui/layout.tsx'
import { ErrorPanel, Notice } from '../../ui/states.tsx'
import { type CreatedKey, KEYS_URL } from './key.ts'
import { SecretOf } from './new-secret.tsx'

/** The page of a one-time link to a key that an assistant asked for. */
export default function ClaimKey() {
  const [token] = useState(takeFragment)
  const claim = useAction({
    run: (_: undefined, key) => request<CreatedKey>('POST', `${KEYS_URL}/claim`, { body: { token }, key }),
    changes: [KEYS_URL],
  })
  if (token === undefined)
    return (
      <>
        <PageHead title="Claim a key" />
        <Notice kind="warn" title="This address lacks the token of a link.">
          Open the whole link again, with everything after #. If it was opened before, ask for another one.
        </Notice>
      </>
    )
  return (
    <>
      <PageHead title="Claim a key">
        An assistant asked for this key in your name. The link works once, for 10 minutes; nothing exists before you
        press the button.
      </PageHead>
      {claim.data ? (
        <Section title={claim.data.name} action={<ButtonLink href="/keys">All keys</ButtonLink>}>
          <SecretOf created={claim.data} />
        </Section>
      ) : (
        <Section title="Create the key and show its secret" text="Continue only if you asked for a key just now.">
          {claim.error && <ErrorPanel error={claim.error} />}
          <div className="row">
            <Button kind="primary" icon="key-round" busy={claim.isPending} onClick={() => claim.mutate(undefined)}>
              Show the key
            </Button>
          </div>
        </Section>
      )}
    </>
  )
}
