import { type ComponentType, createContext, useContext } from 'react'
import type { SessionView } from '../../../schemas/organizations/dashboard.ts'
import type { IconName } from './icon.tsx'

/** A page for signed-in users. */
export interface PageEntry {
  /** Its URL path; `:name` is a parameter. */
  path: string
  /** What its link is called, and its heading unless it has one of its own. */
  title: string
  load(): Promise<{ default: ComponentType }>
  /** Where the navigation links to it. */
  navigation?: {
    group: 'Work' | 'Access' | 'Organization'
    icon: IconName
    /** Whether the user may open the page; everybody if absent. */
    may?(session: SessionView): boolean
  }
  /** The page whose link is marked while this one is shown, if its path does not begin with that page's. */
  within?: string
  /** Whether the page is shown without the navigation. */
  alone?: true
  /** Whether users without an organization may open it. */
  withoutOrganization?: true
}

/** Provides the page that is shown, with its title. */
export const CurrentPageContext = createContext<PageEntry | null>(null)

/** The page that is shown. */
export function useCurrentPage(): PageEntry {
  const page = useContext(CurrentPageContext)
  if (page === null) throw new Error('Only pages of pages.ts have an entry.')
  return page
}
