/** How the page chooses between light and dark. */
export type Theme = 'system' | 'light' | 'dark'

const KEY = 'dashboard-theme'

/** The theme that the user chose in this browser. */
export function readTheme(): Theme {
  const theme = localStorage.getItem(KEY)
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** Shows and keeps a theme. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, theme)
  applyTheme()
}

/** Shows the theme that the user chose. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = readTheme()
}
