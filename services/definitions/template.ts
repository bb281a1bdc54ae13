/**
 * A value with placeholders for arguments. A string that is only `{name}` becomes the argument with its type, and is
 * left out with it. `{a}/{b}` within other text becomes text, and is left out if one of them is absent. An array
 * without items is left out too, and within a body an object without any filled placeholder, even if it has constants.
 * An absent argument has the `default` of its schema. `{settings.name}` is a setting of the account; `{limit}` and
 * `{cursor}` come from the pagination. A member named `...` is an object argument, whose members are added to the others.
 * The parts of an `Each` within an array are items of that array.
 */
export type Template =
  | string
  | number
  | boolean
  | null
  | Joined
  | Converted
  | Clearing
  | Each
  | Either
  | Concatenated
  | readonly Template[]
  | { readonly [name: string]: Template }

/** An array argument, joined to one text. */
export interface Joined {
  readonly $join: string
  readonly separator: string
}

/** Joins the items of an array argument, for providers that do not accept repeated parameters. */
export function joined(argument: string, separator = ','): Joined {
  return { $join: argument, separator }
}

/** How an argument becomes what a provider expects (engine/convert). */
export type Converter =
  | 'markdown-to-adf'
  /** A document of Jira with Markdown at its end, of `{ fields, markdown }`. */
  | 'append-to-adf'
  | 'markdown-to-asana'
  /** Well-formed XML too. A line break stays one. */
  | 'markdown-to-html'
  | 'markdown-to-mrkdwn'
  | 'base64'
  | 'base64url'
  | 'epoch-seconds'
  /** The text of a value: an object as JSON, for providers that expect JSON within JSON. */
  | 'text'
  /** The number that a text of digits names. */
  | 'number'
  /** The number after it, such as the next version of what a step has read. */
  | 'next-number'
  /** `2026-03-31T09:00:00.000+0000`: an offset without a colon. */
  | 'time-with-plain-offset'
  /** `{ date }` for a day, `{ dateTime }` for a time. */
  | 'date-or-time'
  /** The same, with null for the other of the two: an update clears it. */
  | 'date-or-time-only'
  /** Clears a value that excludes the given one. */
  | 'null'
  /** `externalOnly` of `external_only`. */
  | 'camel-case'
  /** The HTML of an answer, of `{ text, quoted }`: a text in Markdown above the HTML of what it answers. */
  | 'answer-html'
  /** Whether a date or time is a day. */
  | 'is-day'
  /** The media type of new text for a file of Google Drive, of `{ type, name }`: what they are until now. */
  | 'upload-type'
  /** `{ dateTime, timeZone }` on the clocks of a zone, of `{ time, timeZone }`. */
  | 'zoned-time'
  /** `{ id }` for digits, else `{ key }` in upper case. */
  | 'id-or-key'
  /** Conditions of OData, joined by `and`, of values by condition: `{ "name eq '?'": … }`, `{ '"name:?"': … }`. */
  | 'odata'
  /** A message (RFC 5322) in base64url, of an object: `to`, `cc`, `bcc`, `subject`, `body` and others. */
  | 'email'

/** A value in the form that a provider expects, left out with it. */
export interface Converted {
  readonly $convert: Converter
  readonly value: Template
}

/** A part that is null as a whole if one of its arguments is: `{ name: '{priority}' }` becomes null, not `{name: null}`. */
export interface Clearing {
  readonly $clearing: Template
}

/**
 * One part for each item of an array argument, or of the list of a step, which is `{item}` in it, and `{item.id}` of an
 * object: `{ email: '{item}' }`. Within an array, its parts are items of that array.
 */
export interface Each {
  readonly $each: string
  readonly part: Template
  readonly keeping?: Keeping
}

/**
 * A list that a step has read, such as the guests of an event. A member whose text at the pointer `by` is that of a part,
 * ignoring case, is sent instead of the part, because it holds more, such as the answer of a guest.
 */
export interface Keeping {
  readonly list: string
  readonly by: string
}

/** One text of several values, left out if one of them is. */
export interface Concatenated {
  readonly $concat: readonly Template[]
}

/** The first of these values that is not left out. */
export interface Either {
  readonly $either: readonly Template[]
}
