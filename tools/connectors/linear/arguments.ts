import { type TSchema, type TString, Type } from '@sinclair/typebox'
import { integer, type NamedArgument, named, optional, text } from '../../../services/definitions/arguments.ts'
import type { ToolParts } from '../../../services/definitions/tool.ts'
import { reads } from '../../../services/definitions/tool.ts'
import { pageSize, pageStart } from '../shared-arguments.ts'

/** What queries promise and need. GraphQL sends them with POST too. */
export const query = { annotations: reads, scopes: ['read'] } as const

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** The ID of an object. */
export function id(description: string): TString {
  return Type.String({ pattern: `^${UUID}$`, description: `${description} A UUID.` })
}

/** An issue, by identifier (ENG-123) or ID. */
export function issue(description: string): TString {
  return Type.String({
    pattern: `^([A-Z0-9]{1,10}-[0-9]{1,9}|${UUID})$`,
    description: `${description} Its identifier (ENG-123) or ID, from search_issues or list_issues.`,
  })
}

/** A team, by the prefix of its issues. */
export function teamKey(description: string): TString {
  return text(`${description} Its key (ENG for ENG-123), from list_teams.`, 10, { pattern: '^[A-Z0-9]{1,10}$' })
}
export const onlyTeam = teamKey('Only this team.')

/** A person by what is unique in a workspace. */
export function person(description: string): TString {
  return text(`${description} Their email address or displayName, from list_users.`, 254)
}

/** Texts that several tools filter by. */
export const inName = text('Only those with this text in the name.', 200)
export const state = (description: string) => text(`${description} Its name, from list_states: In Review.`, 100)
export const label = text('', 100)

/** A formatted text. */
export function markdown(description: string): TString {
  return text(`${description} Markdown.`, 100_000)
}

/** A priority, in Linear's numbers. */
export const priority = integer('0 none, 1 urgent, 2 high, 3 medium, 4 low.', 0, 4)

/** The variables `first` and `after` of a list. */
export const page = { first: pageSize(25, 100), after: pageStart }
export const longPage = { first: pageSize(50, 100), after: pageStart }

/** Conditions of a filter, each left out without its argument. */
export const eq = (name: string, schema: TSchema) => ({ eq: named(name, optional(schema)) })
export const like = (name: string, schema: TSchema) => ({ eqIgnoreCase: named(name, optional(schema)) })
export const contains = (name: string, schema: TSchema) => ({ containsIgnoreCase: named(name, optional(schema)) })

/** The fields that `listPages` needs at the end of a connection in a document. */
export const pageInfo = 'pageInfo { hasNextPage endCursor }'

/** The pagination of a connection in the answer. The document declares `$first` and `$after`, and names what is kept. */
export function listPages(connection: string) {
  const at = `/data/${connection}`
  return {
    style: 'cursor',
    items: `${at}/nodes`,
    next: `${at}/pageInfo/endCursor`,
    more: `${at}/pageInfo/hasNextPage`,
  } as const
}

type StepParts = NonNullable<ToolParts['steps']>[number]

/** A step that finds the ID of what an argument names, and fails if nothing has that name. Its query is sent with POST, but only reads. */
function find(name: string, given: readonly string[], at: string, parts: Pick<StepParts, 'graphql' | 'variables'>) {
  return { step: `${name}: POST /graphql`, given, writes: false, keep: { id: `/data/${at}` }, ...parts } as const
}

/** Finds a team by its key. */
export const findTeam = (team: NamedArgument) =>
  find('find_team', [team.$argument], 'teams/nodes/0/id', {
    graphql: 'query FindTeam($key: String!) { teams(first: 1, filter: { key: { eq: $key } }) { nodes { id } } }',
    variables: { key: team },
  })

/** Finds a person by their email address or display name. */
export const findPerson = (assignee: NamedArgument) =>
  find('find_person', [assignee.$argument], 'users/nodes/0/id', {
    graphql: `query FindPerson($person: String!) {
  users(first: 1, filter: { or: [{ email: { eqIgnoreCase: $person } }, { displayName: { eqIgnoreCase: $person } }] }) { nodes { id } }
}`,
    variables: { person: assignee },
  })

/** Finds the team of an issue, for the arguments whose names belong to a team. */
export const findTeamOf = (given: readonly string[]) =>
  find('find_issue', given, 'issue/team/id', {
    graphql: 'query FindIssue($issue: String!) { issue(id: $issue) { team { id } } }',
    variables: { issue: '{issue}' },
  })

/** Finds a state of a team by its name. */
export const findState = (name: NamedArgument, team: NonNullable<StepParts['variables']>[string]) =>
  find('find_state', [name.$argument], 'workflowStates/nodes/0/id', {
    graphql: `query FindState($team: ID!, $state: String!) {
  workflowStates(first: 1, filter: { team: { id: { eq: $team } }, name: { eqIgnoreCase: $state } }) { nodes { id } }
}`,
    variables: { team, state: name },
  })

/** Finds each label of a list by its name, among those of a team and of the workspace. */
export const findLabels = (labels: string, team: NonNullable<StepParts['variables']>[string]) => ({
  ...find('find_labels', [labels], 'issueLabels/nodes/0/id', {
    graphql: `query FindLabel($team: ID!, $label: String!) {
  issueLabels(first: 1, filter: { name: { eqIgnoreCase: $label }, isGroup: { eq: false },
    or: [{ team: { id: { eq: $team } } }, { team: { null: true } }] }) { nodes { id } }
}`,
    variables: { team, label: '{item}' },
  }),
  each: labels,
})

/** Finds labels of an issue by their names. */
export const findOwnLabels = (labels: string) => ({
  ...find('find_own_labels', [labels], 'issue/labels/nodes/0/id', {
    graphql: `query FindOwnLabel($issue: String!, $label: String!) {
  issue(id: $issue) { labels(first: 1, filter: { name: { eqIgnoreCase: $label } }) { nodes { id } } }
}`,
    variables: { issue: '{issue}', label: '{item}' },
  }),
  each: labels,
})
