// Vite turns an imported style sheet into a file that index.html links.
declare module '*.css'
