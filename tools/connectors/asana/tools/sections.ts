import { named, optional } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites } from '../../annotations.ts'
import { gid, listPages, listQuery, name, project, scopes, section, task } from '../arguments.ts'

const listSections = tool('list_sections: GET /projects/{project}/sections', {
  title: 'List sections',
  description: 'List the sections of a project, which are columns on a board, in their order.',
  scopes,
  path: { project },
  query: { ...listQuery, opt_fields: 'name' },
  pagination: listPages,
  keep: 'gid name',
})

const createSection = tool('create_section: POST /projects/{project}/sections', {
  title: 'Create a section',
  description: 'Add a section to a project, by default at its end.',
  scopes,
  path: { project },
  json: {
    data: {
      name,
      insert_before: named('before', optional(gid('The gid of the section before which it goes, from list_sections.'))),
    },
  },
  at: '/data',
  keep: 'gid name',
})

const renameSection = tool('rename_section: PUT /sections/{section}', {
  title: 'Rename a section',
  description: 'Change the name of a section.',
  scopes,
  path: { section },
  json: { data: { name } },
  at: '/data',
  keep: 'gid name',
})

const moveTaskToSection = tool('move_task_to_section: POST /sections/{section}/addTask', {
  title: 'Move a task to a section',
  description:
    'Move a task to a section of its project, such as the next column of a board, by default to the top. It leaves its other section ' +
    'of that project.',
  annotations: overwrites,
  scopes,
  path: { section },
  json: {
    data: {
      task,
      insert_after: named('after', optional(gid('The gid of the task after which it goes, from list_section_tasks.'))),
    },
  },
  returns: done('The task was moved.'),
})

const addTaskToProject = tool('add_task_to_project: POST /tasks/{task}/addProject', {
  title: 'Add a task to a project',
  description:
    'Add a task to a project, in addition to its other projects. A task that is in the project already moves to the section.',
  annotations: overwrites,
  scopes,
  path: { task },
  json: { data: { project, section: optional(section) } },
  returns: done('The task was added to the project.'),
})

const removeTaskFromProject = tool('remove_task_from_project: POST /tasks/{task}/removeProject', {
  title: 'Remove a task from a project',
  description: 'Take a task out of a project. The task and its other projects stay.',
  annotations: overwrites,
  scopes,
  path: { task },
  json: { data: { project } },
  returns: done('The task was removed from the project.'),
})

/** Asana's tools for sections and the places of tasks in projects. */
export const sectionTools = [
  listSections,
  createSection,
  renameSection,
  moveTaskToSection,
  addTaskToProject,
  removeTaskFromProject,
]
