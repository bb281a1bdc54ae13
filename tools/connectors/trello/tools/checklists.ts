import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../../../schemas/string-enum.ts'
import { httpTool, pick, sameNames } from '../../../../services/definitions/http-tool.ts'
import { adds, overwrites } from '../../annotations.ts'
import { card, fullId, id, name, position } from '../arguments.ts'

const createChecklist = httpTool({
  operation: 'create_checklist',
  title: 'Create checklist',
  description: 'Add an empty checklist to a card. Returns its ID for add_checklist_item.',
  annotations: adds,
  input: { card: fullId('The ID of the card, from get_card.'), name },
  request: { method: 'POST', path: '/checklists', body: { json: { idCard: '{card}', name: '{name}' } } },
  result: pick('', ['id', 'name', 'idCard']),
})

const addChecklistItem = httpTool({
  operation: 'add_checklist_item',
  title: 'Add checklist item',
  description: 'Add an item to a checklist.',
  annotations: adds,
  input: {
    checklist: id('The ID of the checklist, from get_card or create_checklist.'),
    name,
    position: position('Default: bottom.'),
  },
  request: {
    method: 'POST',
    path: '/checklists/{checklist}/checkItems',
    body: { json: { name: '{name}', pos: '{position}' } },
  },
  result: pick('', ['id', 'name', 'state', 'idChecklist']),
})

const updateChecklistItem = httpTool({
  operation: 'update_checklist_item',
  title: 'Update checklist item',
  description: 'Check off an item of a checklist (state complete), or change its text.',
  annotations: overwrites,
  input: {
    card,
    item: id('The ID of the item, from get_card.'),
    name: Type.Optional(name),
    state: Type.Optional(StringEnum(['complete', 'incomplete'])),
  },
  request: { method: 'PUT', path: '/cards/{card}/checkItem/{item}', body: { json: sameNames('name', 'state') } },
  result: pick('', ['id', 'name', 'state', 'idChecklist']),
})

/** The checklists of Trello's cards. */
export const checklistTools = [createChecklist, addChecklistItem, updateChecklistItem]
