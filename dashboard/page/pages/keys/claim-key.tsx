import { useState } from 'react'
import { request } from '../../lib/api.ts'
import { type CreatedKey, KEYS_URL } from '../../lib/keys.ts'
import { useAction } from '../../lib/queries.ts'
import { takeFragment } from '../../lib/token.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { PageHead, Section } from '../../ui/layout.tsx'
import { ErrorPanel, Notice } from '../../ui/states.tsx'
import { SecretOf } from './create-key.tsx'

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
        <PageHead />
        <Notice kind="warn" title="The token of the link is missing from this address.">
          Open the full link again, including everything after #. If the link was already opened, ask for a new one.
        </Notice>
      </>
    )
  return (
    <>
      <PageHead>
        An assistant requested this key on your behalf. The link works once, for 10 minutes. The key is created only
        when you press the button.
      </PageHead>
      {claim.data ? (
        <Section title={claim.data.name} action={<ButtonLink href="/keys">All keys</ButtonLink>}>
          <SecretOf created={claim.data} />
        </Section>
      ) : (
        <Section title="Create the key and show its secret" text="Continue only if you just asked for a key.">
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
