// Writes reports for tests, and checks what a page shows of them.
import { writeFileSync } from 'node:fs';
import type { ConsoleMessage, Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { type Comparison, compareEstimators } from '../../../src/compare/comparison/compare-estimators.js';
import type { ComparisonJob } from '../../../src/compare/comparison/job.js';
import { reportPage } from '../../../src/compare/report/page.js';
import { packText } from '../../../src/compare/report/viewer/macroblock-data.js';
import { ReportPictures } from '../../../src/compare/report/viewer/report-pictures.js';
import { encodeWebp } from '../../../src/media/images/webp-encoder.js';
import type { Frame } from '../../../src/picture/frame.js';

const ORIGIN = {
  version: '1.2.3',
  date: '2026-01-02T03:04:05Z',
  commandLine: "mpegpu compare 'some <clips>'",
  inputBytes: 12345,
  machine: { cpu: 'a test', threads: 1, node: 'v20', gpu: null, ffmpeg: '7.1' },
};
/** What the reader of these reports can save. */
export const FILES = [
  { label: 'CSV', name: 'a.csv', mediaType: 'text/csv', text: 'picture,bits\r\n0,"1 </script> ü"\r\n' },
];

const packedFiles = () =>
  Promise.all(FILES.map(async ({ text, ...file }) => ({ ...file, packed: await packText(text) })));

/** Writes the page of a report, and returns it. */
async function writePage(
  path: string,
  content: Omit<Parameters<typeof reportPage>[0], 'origin' | 'files'>,
): Promise<string> {
  const html = reportPage({ ...content, origin: ORIGIN, files: await packedFiles() });
  writeFileSync(path, html);
  return html;
}

/** Compares and writes the report as the command line does. */
export async function writeReport(
  path: string,
  title: string,
  job: ComparisonJob,
): Promise<{ path: string; comparison: Comparison; html: string }> {
  const { width, height } = job.frames[0]!;
  const pictures = new ReportPictures({ ...job, width, height, frames: job.frames.length, encodeImage: encodeWebp });
  const comparison = await compareEstimators({
    ...job,
    onPicture: picture => pictures.add(picture),
    searchedFieldsAt: pictures.value,
  });
  const viewer = await pictures.finish();
  const html = await writePage(path, { title, comparison, encoder: job.encoder, viewer });
  return { path, comparison, html };
}

/** A report of several estimators that all have the pictures of one: the page is as long as theirs would be. */
export async function writeLongReport(
  path: string,
  title: string,
  frames: readonly Frame[],
  estimators: readonly string[],
) {
  const { width, height } = frames[0]!;
  const job: ComparisonJob = {
    frames,
    frameRate: 25,
    estimators: ['cpu-predictive'],
    settings: { option: 'q', values: [3] },
    runs: 1,
    encoder: { range: { x: 24, y: 16 }, preset: 'fast' },
  };
  const pictures = new ReportPictures({
    ...job,
    estimators,
    width,
    height,
    frames: frames.length,
    encodeImage: encodeWebp,
  });
  const one = await compareEstimators({
    ...job,
    onPicture: picture => pictures.add({ ...picture, estimator: estimators[0]! }),
  });
  const comparison = { ...one, rows: estimators.map(estimator => ({ ...one.rows[0]!, estimator })) };
  const data = await pictures.finish();
  const viewer = { ...data, estimators: estimators.map(label => ({ ...data.estimators[0]!, label })) };
  const html = await writePage(path, { title, comparison, encoder: job.encoder, viewer });
  return { path, html };
}

/** Checks that `shown` is `values` scaled and shifted, to half a pixel. */
export function expectLinear(shown: readonly number[], values: readonly number[]): void {
  expect(shown.length).toBe(values.length);
  const least = values.indexOf(Math.min(...values));
  const greatest = values.indexOf(Math.max(...values));
  const scale = (shown[greatest]! - shown[least]!) / (values[greatest]! - values[least]!);
  expect(scale).toBeGreaterThan(0);
  for (const [i, value] of values.entries()) {
    expect(Math.abs(shown[least]! + scale * (value - values[least]!) - shown[i]!)).toBeLessThan(0.5);
  }
}

/** Contrast ratio of two CSS colours `rgb(r, g, b)` as WCAG has it. */
export function contrast(a: string, b: string): number {
  const luminance = (colour: string) =>
    (colour.match(/\d+/g) ?? [])
      .slice(0, 3)
      .map(value => Number(value) / 255)
      .map(value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i]!, 0);
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}

/** The window of a reader. */
export interface PageSetting {
  readonly width: number;
  readonly height: number;
}

/** The report opened anew in `page`; any error or request in it fails the test. */
export async function lookAt(
  page: Page,
  path: string,
  setting: PageSetting,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  await page.setViewportSize(setting);
  await page.emulateMedia({ colorScheme: 'light' });
  const troubles: string[] = [];
  const onError = (error: Error) => troubles.push(error.message);
  const onMessage = (message: ConsoleMessage) => troubles.push(message.text());
  const onRequest = (request: Request) => {
    if (!/^(data:|file:)/.test(request.url())) troubles.push(request.url());
  };
  page.on('pageerror', onError).on('console', onMessage).on('request', onRequest);
  try {
    await page.goto(`file://${path}`);
    await look(page);
    expect(troubles).toEqual([]);
  } finally {
    page.off('pageerror', onError).off('console', onMessage).off('request', onRequest);
  }
}

export const drawnFrames = (page: Page) =>
  page.$$eval('.pane canvas', canvases => canvases.map(canvas => (canvas as HTMLCanvasElement).dataset.frame));

/** Waits until both panes show a picture. */
export const showsFrame = (page: Page, frame: number) =>
  page.waitForFunction(
    wanted =>
      Array.from(document.querySelectorAll<HTMLElement>('.pane canvas')).every(
        canvas => canvas.dataset.frame === wanted,
      ),
    String(frame),
  );

/** What a pane shows, as an image. */
export const pels = (page: Page, pane: number) =>
  page.$$eval('.pane canvas', (canvases, index) => (canvases[index] as HTMLCanvasElement).toDataURL(), pane);
