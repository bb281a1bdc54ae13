import './group.ts'
