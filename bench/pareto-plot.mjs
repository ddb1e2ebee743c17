// Draws speed against BD-rate, a panel for each number of threads, as an SVG that stands alone.
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';

const SIZE = { width: 860, height: 460 };
const COLOURS = { mpegpu: '#1f6fb2', ffmpeg: '#b2541f' };

/** The SVG of `points`: `{ program, name, threads, fps, bdRatePercent }`. */
export function paretoSvg(points) {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const labelled = points.map(point => ({ ...point, panel: panelName(point) }));
  const plot = Plot.plot({
    ...SIZE,
    document,
    marginLeft: 56,
    marginRight: 40,
    marginTop: 34,
    marginBottom: 44,
    style: { fontSize: '12px', background: 'white', color: '#222' },
    fx: { label: null, domain: [...new Set(labelled.map(({ panel }) => panel))] },
    x: { type: 'log', label: 'pictures/s at 640x480, q 4 →', ticks: ticksFor(points), tickFormat: 'd' },
    y: { label: '↑ BD-rate on PSNR-Y, % (less is smaller)', grid: true },
    color: { domain: Object.keys(COLOURS), range: Object.values(COLOURS), legend: false },
    marks: [
      Plot.frame({ stroke: '#ccc' }),
      Plot.line(labelled, { x: 'fps', y: 'bdRatePercent', fx: 'panel', stroke: 'program', sort: 'fps', z: 'program' }),
      Plot.dot(labelled, { x: 'fps', y: 'bdRatePercent', fx: 'panel', fill: 'program', r: 4, title: textOf }),
      Plot.text(labelled, {
        ...{ x: 'fps', y: 'bdRatePercent', fx: 'panel', text: labelOf, fill: 'program' },
        ...{ dy: -10, fontSize: 11 },
      }),
    ],
  });
  // Without its namespace, a file is no picture to a browser.
  plot.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return `${withShortNumbers(plot.outerHTML)}\n`;
}

/** Two decimals of a pixel are enough. */
function withShortNumbers(svg) {
  return svg.replace(/-?\d+\.\d{3,}/g, number => `${Number(Number(number).toFixed(2))}`);
}

/** Round numbers of pictures/s within the points. */
function ticksFor(points) {
  const speeds = points.map(({ fps }) => fps);
  const inside = tick => tick >= Math.min(...speeds) && tick <= Math.max(...speeds);
  return [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000].filter(inside);
}

function panelName({ threads }) {
  return threads === 1 ? 'one thread' : `${threads} threads`;
}

function labelOf({ program, name, number }) {
  return program === 'mpegpu' ? name : `${number}`;
}

function textOf({ program, name, fps, bdRatePercent }) {
  return `${program} ${name}\n${fps.toFixed(1)} pictures/s, ${bdRatePercent.toFixed(2)} %`;
}
