import { named, oneOf, optional } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { card, fullId, id, name, position } from '../arguments.ts'

const createChecklist = tool('create_checklist: POST /checklists', {
  title: 'Create checklist',
  description: 'Add an empty checklist to a card. Returns its ID for add_checklist_item.',
  json: { idCard: named('card', fullId('The ID of the card, from get_card.')), name },
  keep: 'id name idCard',
})

const addChecklistItem = tool('add_checklist_item: POST /checklists/{checklist}/checkItems', {
  title: 'Add checklist item',
  description: 'Add an item to a checklist.',
  path: { checklist: id('The ID of the checklist, from get_card or create_checklist.') },
  json: { name, pos: position('Default: bottom.') },
  keep: 'id name state idChecklist',
})

const updateChecklistItem = tool('update_checklist_item: PUT /cards/{card}/checkItem/{item}', {
  title: 'Update checklist item',
  description: 'Check off an item of a checklist (state complete), or change its text.',
  path: { card, item: id('The ID of the item, from get_card.') },
  json: { name: optional(name), state: optional(oneOf(['complete', 'incomplete'])) },
  keep: 'id name state idChecklist',
})

/** The checklists of Trello's cards. */
export const checklistTools = [createChecklist, addChecklistItem, updateChecklistItem]
