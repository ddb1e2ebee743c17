// Writes src/compare/report/viewer/viewer-script.ts: the report's viewer, with all that it imports, as one script.
// A report is one file. Leaves the script alone if nothing has changed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('../src/compare/report/viewer/', import.meta.url));
const target = `${folder}viewer-script.ts`;

/** Writes the script. */
export async function embedViewer() {
  const { outputFiles } = await build({
    stdin: {
      contents: "import { reportViewer } from './report-viewer.ts'; reportViewer();",
      resolveDir: folder,
    },
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    write: false,
  });
  const source = `// Made by scripts/embed-viewer.mjs from report-viewer.ts: not committed.
export const VIEWER_SCRIPT =
  ${JSON.stringify(outputFiles[0].text.trim())};
`;
  if (!existsSync(target) || readFileSync(target, 'utf8') !== source) writeFileSync(target, source);
}
