import { oneOf, optional } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites, sets } from '../../annotations.ts'
import { asked, listOf, listPages, name, scopes, tag, task, workspace } from '../arguments.ts'

const tagFields = 'gid name color'
const SHADES = ['pink', 'green', 'blue', 'red', 'teal', 'brown', 'orange', 'purple', 'warm-gray'] as const
const COLORS = SHADES.flatMap(shade => [`dark-${shade}`, `light-${shade}`] as const)

const listTags = tool('list_tags: GET /workspaces/{workspace}/tags', {
  title: 'List tags',
  description: 'List the tags of a workspace with their gids.',
  scopes,
  path: { workspace },
  query: listOf(tagFields),
  pagination: listPages,
  keep: tagFields,
})

const createTag = tool('create_tag: POST /workspaces/{workspace}/tags', {
  title: 'Create a tag',
  description: 'Create a tag in a workspace. add_tag puts it on a task. Look for an existing one with list_tags first.',
  scopes,
  path: { workspace },
  query: { opt_fields: asked(tagFields) },
  json: { data: { name, color: optional(oneOf(COLORS)) } },
  at: '/data',
  keep: tagFields,
})

const addTag = tool('add_tag: POST /tasks/{task}/addTag', {
  title: 'Tag a task',
  description: 'Put a tag on a task, in addition to its other tags.',
  annotations: sets,
  scopes,
  path: { task },
  json: { data: { tag } },
  returns: done('The tag was added.'),
})

const removeTag = tool('remove_tag: POST /tasks/{task}/removeTag', {
  title: 'Remove a tag from a task',
  description: 'Take a tag off a task. Other tasks keep it.',
  annotations: overwrites,
  scopes,
  path: { task },
  json: { data: { tag } },
  returns: done('The tag was removed.'),
})

/** Asana's tools for tags. */
export const tagTools = [listTags, createTag, addTag, removeTag]
