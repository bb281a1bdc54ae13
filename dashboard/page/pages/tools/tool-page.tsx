import { useParams } from 'wouter'
import { type Tool, useTools } from '../../lib/mcp.ts'
import { Badge } from '../../ui/badge.tsx'
import { BackLink, Card, PageHead } from '../../ui/layout.tsx'
import { ErrorPanel, Skeleton } from '../../ui/states.tsx'
import { Explanation } from './explanation.tsx'
import './tool.css'
import { TryTool } from './try-tool.tsx'

/** The page of one tool, where it can be tried. */
export default function ToolPage() {
  const { name = '' } = useParams()
  const { data, error, refetch } = useTools()
  const tool = data?.find(tool => tool.name === name)
  if (error) return <ErrorPanel error={error} onRetry={refetch} />
  if (data === undefined)
    return (
      <Card>
        <Skeleton />
      </Card>
    )
  if (tool === undefined) return <NotCallable name={name} />
  return (
    <div className="stack">
      <div>
        <BackLink href="/tools">Tools</BackLink>
        <PageHead title={tool.title ?? tool.name}>{tool.description}</PageHead>
        <div className="row tool-facts">
          <code>{tool.name}</code>
          <Effects tool={tool} />
        </div>
      </div>
      <TryTool key={tool.name} tool={tool} />
    </div>
  )
}

function Effects({ tool: { annotations } }: { tool: Tool }) {
  if (annotations?.readOnlyHint) return <Badge>Reads only</Badge>
  if (annotations?.destructiveHint) return <Badge tone="warn">Changes or deletes</Badge>
  return <Badge>Changes</Badge>
}

function NotCallable({ name }: { name: string }) {
  return (
    <div className="stack">
      <div>
        <BackLink href="/tools">Tools</BackLink>
        <PageHead title={name}>This tool cannot be called now.</PageHead>
      </div>
      <Explanation tool={name} />
    </div>
  )
}
