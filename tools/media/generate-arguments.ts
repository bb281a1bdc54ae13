import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { StringEnum } from '../../schemas/primitives/string-enum.ts'
import type { MediaArgument, MediaModel } from '../../schemas/tools/media.ts'
import { argumentCheck } from '../../services/definitions/define-tool.ts'
import { INPUT_NAME } from '../../services/media/inputs.ts'

/** The arguments that every model has. */
function common(models: readonly MediaModel[]) {
  const most = (of: (model: MediaModel) => number) => Math.max(...models.map(of))
  return {
    model: StringEnum(
      models.map(({ id }) => id),
      { description: 'The model. media__models lists arguments and prices.' },
    ),
    prompt: Type.String({
      minLength: 1,
      maxLength: most(model => model.max_prompt),
      description: 'What to make; for speech, the text to speak.',
    }),
    n: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: most(({ max_n = 1 }) => max_n),
        description: 'The number of results. Default: 1.',
      }),
    ),
    images: Type.Optional(
      Type.Array(Type.String({ pattern: INPUT_NAME }), {
        minItems: 1,
        maxItems: most(({ max_images = 0 }) => max_images) || 1,
        description: 'Input images, for models that accept them: artifact IDs (art_…) or https URLs.',
      }),
    ),
    inline: Type.Optional(
      Type.Boolean({ description: 'Also return images and audio in the result, up to 1 MB together.' }),
    ),
    max_cost_usd: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, description: 'Reject the call if it can cost more than this, in dollars.' }),
    ),
  }
}

type Common = Static<TObject<ReturnType<typeof common>>>

/** The arguments of a call. Those of the models are checked by the model's own schema. */
export type GenerateArguments = Common & Record<string, unknown>

/** One flat schema for all models: several clients do not accept alternatives at the root of a schema. */
export function generateSchema(models: readonly MediaModel[]): TObject {
  const own = new Map<string, { model: MediaModel; argument: MediaArgument }[]>()
  for (const model of models)
    for (const [name, argument] of Object.entries(model.arguments ?? {}))
      own.set(name, [...(own.get(name) ?? []), { model, argument }])
  const properties = [...own].map(([name, uses]) => [name, Type.Optional(merged(uses))])
  return Type.Object({ ...common(models), ...Object.fromEntries(properties) }, { additionalProperties: false })
}

function merged(uses: readonly { model: MediaModel; argument: MediaArgument }[]): TSchema {
  const type = uses[0]?.argument.type
  const byText = Map.groupBy(uses, ({ argument }) => textOf(argument))
  const isSame = byText.size === 1
  const description = [...byText]
    .map(([text, group]) => (isSame ? text : `${group.map(({ model }) => model.id).join(', ')}: ${text}`))
    .join(' ')
  if (type === 'boolean') return Type.Boolean({ description })
  if (type === 'integer') return Type.Integer({ description })
  const values = new Set(uses.flatMap(({ argument }) => (argument.enum ?? []) as string[]))
  return uses.every(({ argument }) => argument.enum !== undefined)
    ? StringEnum([...values], { description })
    : Type.String({ description, maxLength: 2_000 })
}

function textOf({ description, type, enum: values, default: value }: MediaArgument): string {
  return [
    description,
    ...(type === 'integer' && values !== undefined ? [`One of ${values.join(', ')}.`] : []),
    ...(value === undefined ? [] : [`Default: ${value}.`]),
  ].join(' ')
}

/** The schema of one model. */
function modelSchema(model: MediaModel): TObject {
  const { max_prompt: maxLength, max_n = 1, max_images = 0 } = model
  const { images, inline, max_cost_usd } = common([model])
  const own = Object.entries(model.arguments ?? {}).map(([name, argument]) => [name, Type.Optional(exact(argument))])
  return Type.Object(
    {
      model: StringEnum([model.id]),
      prompt: Type.String({ minLength: 1, maxLength }),
      n: Type.Optional(Type.Integer({ minimum: 1, maximum: max_n })),
      ...(max_images > 0 && { images }),
      inline,
      max_cost_usd,
      ...Object.fromEntries(own),
    },
    { additionalProperties: false },
  )
}

function exact({ type, enum: values, pattern, minimum, maximum }: MediaArgument): TSchema {
  if (type === 'boolean') return Type.Boolean()
  if (type === 'integer')
    return values === undefined
      ? Type.Integer({ ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) })
      : Type.Union(values.map(value => Type.Literal(value)))
  if (values !== undefined) return StringEnum(values as string[])
  return Type.String({ maxLength: 2_000, ...(pattern !== undefined && { pattern }) })
}

/** Checks arguments against the schema of their model, which is compiled at its first use. */
export function createModelCheck(models: readonly MediaModel[]): (args: unknown) => string | undefined {
  const checks = new Map<string, ReturnType<typeof argumentCheck>>()
  return args => {
    const { model: id } = args as GenerateArguments
    const model = models.find(model => model.id === id)
    if (model === undefined) return undefined
    const check = checks.get(id) ?? argumentCheck(modelSchema(model))
    checks.set(id, check)
    return check(args)
  }
}

/** The model's own arguments of a call, with their defaults. */
export function ownArguments(model: MediaModel, args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const own = Object.entries(model.arguments ?? {}).map(([name, argument]) => [name, args[name] ?? argument.default])
  return Object.fromEntries(own.filter(([, value]) => value !== undefined))
}
