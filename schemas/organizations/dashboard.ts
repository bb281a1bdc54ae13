import { type Static, Type } from '@sinclair/typebox'
import { orNull } from '../primitives/or-null.ts'
import { StringEnum } from '../primitives/string-enum.ts'
import { Timestamp } from '../primitives/time.ts'
import { Role } from './member.ts'

const closed = { additionalProperties: false }

/** What the sign-in page offers. */
export const SignInMethods = Type.Object(
  {
    issuer: Type.Boolean({ description: 'Whether users sign in at an issuer.' }),
    command: Type.String({ description: 'The operator’s command that makes a one-time link.' }),
    add_member: Type.String({ description: 'The operator’s command that adds a user to an organization.' }),
  },
  closed,
)

/** The token of a one-time link. */
export const SignInToken = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }, closed)

export type SignInToken = Static<typeof SignInToken>

/** A random text that the page keeps where only it can read it: only the browser that began a sign-in finishes it. */
const Browser = Type.String({ minLength: 32, maxLength: 100 })

/** Who begins a sign-in at the issuer, and where it leads afterwards: a path of the dashboard. */
export const SignInStart = Type.Object(
  { browser: Browser, return_path: Type.Optional(Type.String({ maxLength: 2_000 })) },
  closed,
)

export type SignInStart = Static<typeof SignInStart>

/** Where the browser goes to sign in. */
export const SignInLocation = Type.Object({ location: Type.String() }, closed)

/** The query of the issuer’s answer, as the browser has it. */
export const SignInCallback = Type.Object({ browser: Browser, search: Type.String({ maxLength: 16_384 }) }, closed)

export type SignInCallback = Static<typeof SignInCallback>

/** A new session: what the page sends as `x-dashboard-token`, and where it goes. */
export const NewSession = Type.Object({ token: Type.String(), return_path: Type.String() }, closed)

export const SignOut = Type.Object({ everywhere: Type.Optional(Type.Boolean()) }, closed)

export type SignOut = Static<typeof SignOut>

export const SignedOut = Type.Object({ location: orNull(Type.String()) }, closed)

/** Who is signed in, and what they may do: pages show nothing else. */
export const SessionView = Type.Object(
  {
    user: Type.Object({ id: Type.String(), email: orNull(Type.String()) }, closed),
    organization: orNull(Type.Object({ id: Type.String(), name: Type.String() }, closed)),
    role: orNull(Role),
    organizations: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), role: Role }, closed)),
    may: Type.Object(
      {
        manage_members: Type.Boolean(),
        manage_money: Type.Boolean(),
        manage_all_keys: Type.Boolean(),
        manage_all_agents: Type.Boolean(),
        manage_connectors: Type.Boolean(),
        create_organizations: Type.Boolean(),
      },
      closed,
    ),
    gateway_url: Type.String({ description: 'The URL that MCP clients connect to.' }),
  },
  closed,
)

export type SessionView = Static<typeof SessionView>

/** An organization that its user creates, as its owner. */
export const NewOrganization = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) }, closed)

export type NewOrganization = Static<typeof NewOrganization>

export const CreatedOrganization = Type.Object({ id: Type.String(), name: Type.String() }, closed)

/** The browsers in which the user is signed in. */
export const SessionList = Type.Object(
  {
    sessions: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          user_agent: Type.String(),
          created_at: Timestamp,
          last_used_at: Timestamp,
          current: Type.Boolean(),
        },
        closed,
      ),
    ),
  },
  closed,
)

/** The MCP client that asks to sign in at the local issuer, and where the browser goes afterwards. */
export const AuthorizationView = Type.Object(
  {
    client: Type.Object({ name: Type.String(), host: orNull(Type.String()) }, closed),
    returns_to: Type.Object({ kind: StringEnum(['loopback', 'web', 'app']), name: Type.String() }, closed),
  },
  closed,
)

export type AuthorizationView = Static<typeof AuthorizationView>

export const AuthorizationDecision = Type.Object({ decision: StringEnum(['allow', 'deny']) }, closed)

export type AuthorizationDecision = Static<typeof AuthorizationDecision>
