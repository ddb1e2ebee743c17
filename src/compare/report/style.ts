// The report page's style sheet.

/** One column on a phone, two on a desk; light or dark, as the reader's system is. */
export const REPORT_STYLE = `
:root {
  color-scheme: light dark;
  --surface: #ffffff; --ground: #f4f5f7; --text: #16191d; --muted: #5b6470; --line: #dfe3e8; --accent: #1f5fd0;
  --series-0: #1f5fd0; --series-1: #d4620a; --series-2: #17825a; --series-3: #8d3fc4;
  --series-4: #c2344b; --series-5: #0c7d92; --series-6: #8a6d00; --series-7: #5c6670;
  --stage-coding: #4a7fd6; --stage-motion: #e0872f; --stage-writing: #57a77f; --stage-input: #b58ad3; --stage-other: #a9b1bb;
  --kind-intra: #e5484d; --kind-forward: #3e7bfa; --kind-still: #12a594; --kind-backward: #f5a524; --kind-both: #a259e6;
}
@media (prefers-color-scheme: dark) {
  :root {
    --surface: #191c21; --ground: #101216; --text: #e8eaed; --muted: #9aa3ae; --line: #2e333b; --accent: #7fb0ff;
    --series-0: #6ea4ff; --series-1: #ff9d4d; --series-2: #4fcf9a; --series-3: #c58bf2;
    --series-4: #ff7d90; --series-5: #4cc9de; --series-6: #dcbb3f; --series-7: #a5afba;
    --stage-coding: #5b8fe6; --stage-motion: #f09a45; --stage-writing: #5fbd8f; --stage-input: #c29ae0; --stage-other: #6d7681;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
main { max-width: 1360px; margin: 0 auto; padding: 40px 24px 64px; }
h1 { margin: 0; font-size: 28px; line-height: 1.2; font-weight: 650; letter-spacing: -0.015em; overflow-wrap: anywhere; }
h2 { margin: 0; font-size: 17px; line-height: 1.3; font-weight: 620; letter-spacing: -0.005em; }
p { margin: 0; max-width: 72ch; }
.eyebrow { color: var(--muted); font-size: 14px; margin-bottom: 4px; }
.facts { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 12px 0 0; color: var(--muted); font-size: 14px; padding: 0; list-style: none; }
.notice { margin-top: 16px; padding: 10px 14px; border-left: 3px solid var(--kind-backward); background: var(--surface); font-size: 14px; }
.legend { display: flex; flex-wrap: wrap; gap: 6px 18px; padding: 0; margin: 0; list-style: none; font-size: 14px; }
.legend li { display: flex; align-items: center; gap: 7px; }
.swatch { width: 12px; height: 12px; border-radius: 3px; background: var(--colour); flex: none; }
.note { color: var(--muted); font-size: 14px; }
section { margin-top: 28px; }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 20px; min-width: 0; }
.tables { padding: 8px 4px; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 14px; font-variant-numeric: tabular-nums; }
th, td { padding: 8px 14px; text-align: right; white-space: nowrap; }
thead th { font-weight: 500; color: var(--muted); font-size: 13px; vertical-align: bottom; }
tbody th { font-weight: 400; }
th:first-child, td:first-child { text-align: left; }
tbody tr { border-top: 1px solid var(--line); }
tbody th.name { font-weight: 560; }
th.name .swatch { display: inline-block; margin-right: 9px; }
th.name small { display: block; margin-left: 21px; font-weight: 400; color: var(--muted); font-size: 12.5px; }
td.reason { text-align: left; color: var(--muted); }
.reasons { padding: 10px 14px 6px; font-size: 13.5px; color: var(--muted); border-top: 1px solid var(--line); }
.reasons b { color: var(--text); font-weight: 560; }
.reasons p { max-width: 100ch; }
td small { color: var(--muted); font-size: 12.5px; }
details { margin-top: 4px; }
summary { cursor: pointer; padding: 8px 14px; font-size: 14px; color: var(--accent); }
.figures { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 20px; }
figure { margin: 0; }
.figures .note { margin: 2px 0 10px; }
.figures .legend { margin-top: 10px; font-size: 13px; }
.figures svg { display: block; width: 100%; height: auto; color: var(--text); overflow: visible; }
.plot-area { position: relative; touch-action: pan-y; border-radius: 6px; }
.plot-area.narrow { display: none; }
.over-pictures { cursor: crosshair; }
.selection { position: absolute; background: var(--accent); opacity: 0.2; pointer-events: none; }
.tools { display: flex; align-items: center; gap: 4px; }
.tools button { min-width: 36px; padding: 4px 9px; color: var(--muted); }
.figures .head { align-items: flex-start; margin-bottom: 0; }
.figures h2 { flex: 1 1 150px; padding-top: 6px; }
.save { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; padding: 10px 14px 8px; font-size: 14px; color: var(--muted); max-width: none; }
.save button { color: var(--text); }
.cursor { position: absolute; top: 6%; bottom: 11%; width: 1.5px; margin-left: -0.75px; background: var(--text); opacity: 0.45; pointer-events: none; }
.head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 8px 24px; margin-bottom: 14px; }
.panes { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 16px; }
.pane canvas { display: block; width: 100%; border-radius: 8px; background: #808080; cursor: crosshair; }
.pane canvas.zoomed { cursor: grab; touch-action: none; }
.pane .caption { margin-top: 8px; color: var(--muted); font-size: 13px; min-height: 1.5em; font-variant-numeric: tabular-nums; }
.pane .values { min-height: 1.5em; font-size: 13px; font-variant-numeric: tabular-nums; }
select, button {
  font: inherit; font-size: 14px; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 8px;
  padding: 6px 12px; min-height: 36px;
}
select { width: 100%; margin-bottom: 8px; }
button { cursor: pointer; }
button:hover, select:hover { border-color: var(--muted); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.transport { position: sticky; bottom: 0; display: flex; flex-wrap: wrap; align-items: center; gap: 8px 10px; padding: 10px 0; margin-top: 6px; background: var(--surface); }
.transport input[type=range] { flex: 1 1 160px; min-width: 0; accent-color: var(--accent); }
#position { min-width: 9ch; text-align: right; font-variant-numeric: tabular-nums; font-size: 14px; }
#play { min-width: 74px; }
.layers { display: flex; flex-wrap: wrap; gap: 4px 18px; border: 0; padding: 0; margin: 0; font-size: 14px; }
.layers label { display: flex; align-items: center; gap: 6px; min-height: 32px; cursor: pointer; }
.layers input { accent-color: var(--accent); margin: 0; width: 16px; height: 16px; }
.viewer-foot { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 12px 24px; margin-top: 12px; padding-top: 14px; border-top: 1px solid var(--line); font-size: 13px; color: var(--muted); }
.viewer-foot .legend { font-size: 13px; }
.wheel { width: 14px; height: 14px; border-radius: 50%; flex: none; }
.heat { width: 34px; height: 8px; flex: none; border-radius: 4px; }
.thick { width: 22px; height: 8px; flex: none; border-radius: 4px; background: #fff; border: 1.5px solid #444; }
#zoom { min-width: 5ch; text-align: center; font-size: 14px; color: var(--muted); }
kbd { font: 12px/1 ui-monospace, monospace; border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 2px 5px; background: var(--ground); }
.made { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; margin: 0 0 16px; }
.made dt { color: var(--muted); }
.made dd { margin: 0; color: var(--text); overflow-wrap: anywhere; }
.method p + p { margin-top: 8px; }
.method { font-size: 14px; color: var(--muted); }
@media (max-width: 860px) { .figures { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 620px) {
  main { padding: 24px 14px 40px; }
  h1 { font-size: 23px; }
  .card { padding: 14px; border-radius: 10px; }
  .tables { padding: 4px 0; }
  .panes { grid-template-columns: minmax(0, 1fr); }
  .plot-area.wide { display: none; }
  .plot-area.narrow { display: block; }
  th, td { padding: 8px 10px; }
  .reasons { padding-inline: 10px; }
  .pane .caption { min-height: 0; }
}
`;
