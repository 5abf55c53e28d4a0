/** The certificate's styles: the sandbox's colours and spaces by name, for dark and light screens and for paper. */
export const CSS = `
:root {
  color-scheme: light dark;
  --ground: #f6f4fc; --surface: #ffffff; --raised: #efebfa; --line: #d6cfec; --edge: #756a9e;
  --text: #1a1433; --muted: #544b78; --accent: #5634c9;
  --good: #0a6b3f; --bad: #b3173a; --wait: #835200; --skip: #544b78;
  --display: Outfit, "Segoe UI", system-ui, sans-serif; --body: Figtree, "Segoe UI", system-ui, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace;
  --small: 0.8125rem; --normal: 0.9375rem; --large: 1.125rem; --title: clamp(1.35rem, 1rem + 1.4vw, 1.85rem);
  --s1: 0.25rem; --s2: 0.5rem; --s3: 0.75rem; --s4: 1rem; --s5: 1.5rem; --s6: 2.25rem; --r1: 0.5rem; --r2: 0.875rem;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0a0817; --surface: #141029; --raised: #1e1839; --line: #352c5e; --edge: #7a6fb0;
    --text: #f6f3ff; --muted: #b9b1da; --accent: #b49cff;
    --good: #5fe6a5; --bad: #ff8a9b; --wait: #ffc266; --skip: #b9b1da;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { background: var(--ground); color: var(--text); font: 400 var(--normal) / 1.5 var(--body); font-variant-numeric: tabular-nums; -webkit-text-size-adjust: 100%; }
body { max-width: 62rem; margin: 0 auto; padding: var(--s5) clamp(var(--s3), 3vw, var(--s5)) var(--s6); }
h1, h2, h3 { margin: 0; font-family: var(--display); line-height: 1.2; letter-spacing: -0.01em; }
h1 { font-size: var(--title); }
h2 { margin-top: var(--s6); font-size: var(--large); }
p { margin: var(--s2) 0; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: var(--r1); }
.verdict { display: grid; gap: var(--s2); padding: var(--s5); border: 1px solid var(--line); border-left: 0.5rem solid var(--good); border-radius: var(--r2); background: var(--surface); }
.verdict.failed { border-left-color: var(--bad); }
.verdict p { margin: 0; font-size: var(--large); }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: var(--s3) var(--s5); margin: var(--s5) 0 0; }
dt { color: var(--muted); font-size: var(--small); }
dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; margin-top: var(--s3); background: var(--surface); }
th, td { padding: var(--s2) var(--s3); border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { text-align: left; font-weight: 400; }
@media (max-width: 32rem) { table { font-size: var(--small); } th, td { padding: var(--s2) var(--s1); } }
thead th { color: var(--muted); font-size: var(--small); font-weight: 600; }
details { margin-top: var(--s2); border: 1px solid var(--line); border-radius: var(--r1); background: var(--surface); }
summary { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s3); align-items: baseline; min-height: 2.75rem; padding: var(--s2) var(--s3); cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before { content: "+"; font-family: var(--mono); color: var(--muted); }
details[open] > summary::before { content: "\\2212"; }
summary .what { flex: 1 1 14rem; }
summary .ms { color: var(--muted); font-size: var(--small); }
.mark { min-width: 4.5rem; font-weight: 700; font-size: var(--small); }
.passed .mark { color: var(--good); } .failed .mark { color: var(--bad); } .warning .mark { color: var(--wait); } .not_tried .mark { color: var(--skip); }
.inside { padding: 0 var(--s3) var(--s3); border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.inside dl { margin-top: var(--s3); grid-template-columns: 1fr; }
pre { margin: var(--s2) 0 0; padding: var(--s2) var(--s3); border-radius: var(--r1); background: var(--raised); font: 400 var(--small) / 1.45 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; }
ol { margin: var(--s2) 0 0; padding-left: var(--s5); }
li { margin-top: var(--s2); }
code { font-family: var(--mono); font-size: 0.92em; }
footer { margin-top: var(--s6); color: var(--muted); font-size: var(--small); }
@media print { body { max-width: none; } details:not([open]) { break-inside: avoid; } pre { border: 1px solid var(--line); } }
`;
