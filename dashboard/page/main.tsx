import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './ui/theme.css'
import './ui/base.css'
import './ui/links.css'
import { App } from './app.tsx'
import { applyTheme } from './lib/theme.ts'

applyTheme()
const root = document.getElementById('page')
if (root === null) throw new Error('index.html has no element #page.')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
