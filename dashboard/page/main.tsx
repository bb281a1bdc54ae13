import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './ui/styles.css'
import { App } from './app.tsx'
import { applyTheme } from './lib/theme.ts'
import { openEnteredLinks } from './lib/token.ts'

applyTheme()
const root = document.getElementById('page')
if (root === null) throw new Error('index.html has no element #page.')
openEnteredLinks()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
