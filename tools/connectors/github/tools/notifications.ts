import { flag, optional, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { sets } from '../../annotations.ts'
import { pageSize } from '../../paging.ts'
import { instant } from '../../times.ts'
import { listPages, listQuery, scopes } from '../arguments.ts'

const listNotifications = tool('list_notifications: GET /notifications', {
  title: 'List notifications',
  description:
    'List your unread notifications, newest first: why you got them, and the issue or pull request. The number is at the ' +
    'end of subject.url. Accounts of GitHub Apps and fine-grained tokens have none.',
  scopes,
  query: {
    all: optional(flag('Include those that you have read. Default: false.')),
    participating: optional(flag('Only those about you: mentions, assignments, requested reviews. Default: false.')),
    since: optional(instant('Only those updated since this time.')),
    before: optional(instant('Only those updated before this time.')),
    ...listQuery,
    per_page: pageSize(30, 50),
  },
  pagination: listPages,
  keep: 'id reason unread updated_at subject { title type url } repository { full_name }',
})

const markNotificationRead = tool('mark_notification_read: PATCH /notifications/threads/{thread_id}', {
  title: 'Mark a notification as read',
  description: 'Mark one notification as read.',
  annotations: sets,
  scopes,
  path: { thread_id: text('The ID of the notification, from list_notifications.', 15, { pattern: '^[0-9]+$' }) },
  returns: done('Marked as read.'),
})

/** GitHub tools for notifications. */
export const notificationTools = [listNotifications, markNotificationRead]
