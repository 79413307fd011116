/** Style sheet for light and dark mode, with colour-blind safe colours (after Okabe and Ito). */
export const style = `
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--soft:#5c6670;--line:#e3e7eb;--panel:#f6f8fa;--good:#0a7d4f;--bad:#b3261e;
--c0:#0072b2;--c1:#56a5d8;--c2:#1b3f73;--c3:#d55e00;--c4:#f0a04b;--c5:#8a3b00;--c6:#009e73;--c7:#67c9ab;--c8:#00573f}
@media (prefers-color-scheme:dark){:root{--paper:#14171b;--ink:#e6e9ec;--soft:#9aa4ae;--line:#2b3138;--panel:#1b2026;--good:#4cc38a;--bad:#ff8a80;
--c0:#4da3ff;--c1:#9fd0ff;--c2:#2f6fc4;--c3:#ff8a3d;--c4:#ffc48a;--c5:#c4601c;--c6:#2fcf9f;--c7:#9df0d6;--c8:#17916b}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1180px;padding:2.5rem 1.5rem 4rem;background:var(--paper);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 .3rem;letter-spacing:-.015em}
h2{font-size:1.25rem;margin:2.8rem 0 .8rem;padding-top:1.2rem;border-top:1px solid var(--line)}
h3{font-size:1.02rem;margin:1.8rem 0 .6rem}
p{max-width:96ch;margin:.5rem 0}p.lead{color:var(--soft);margin-bottom:1.4rem}
small,.note{color:var(--soft);font-size:.82em}p.note{max-width:118ch}
code,pre{font:13px/1.5 ui-monospace,"SF Mono",Menlo,"DejaVu Sans Mono",monospace}
pre{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:.8rem 1rem;overflow-x:auto;white-space:pre-wrap;word-break:break-all}
.wide{overflow-x:auto;margin:.6rem 0 1rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:.9rem}
th,td{padding:.38rem .7rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
th{color:var(--soft);font-weight:600;border-bottom-width:2px;vertical-align:bottom}
th:first-child,td:first-child{text-align:left}
table:not(.sortable) th,table:not(.sortable) td{text-align:left;white-space:normal}
.sortable th{cursor:pointer}.sortable th:hover{color:var(--ink)}
th[aria-sort=ascending]::after{content:" ▲"}th[aria-sort=descending]::after{content:" ▼"}
tbody tr:hover{background:var(--panel)}
.good{color:var(--good);font-weight:600}.bad{color:var(--bad)}.little{color:var(--soft);font-style:italic}.anchor{color:var(--soft)}
.tabs{margin:.4rem 0 1.2rem}.tabs>input{position:absolute;opacity:0}
.tabs>label{display:inline-block;padding:.28rem .95rem;margin-right:.35rem;border:1px solid var(--line);border-radius:999px;cursor:pointer;color:var(--soft);font-size:.9rem}
.tabs>input:checked+label{background:var(--ink);color:var(--paper);border-color:var(--ink)}
.tabs>input:focus-visible+label{outline:2px solid var(--c0);outline-offset:2px}
.tabs>section{display:none;margin-top:1rem}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,500px),1fr));gap:1.2rem}
figure{margin:0;padding:.9rem .9rem .5rem;background:var(--panel);border:1px solid var(--line);border-radius:10px}
figure.single{max-width:820px}
figcaption{font-weight:600;font-size:.92rem;margin:0 0 .4rem .2rem}
figure>svg{width:100%;height:auto;display:block}
svg text{fill:var(--soft);font-size:12px;font-family:inherit}svg .label{font-size:12.5px}svg .name{fill:var(--ink);font-size:12px;paint-order:stroke;stroke:var(--panel);stroke-width:4px;stroke-linejoin:round}
.plots figure:not(.single)>svg text{font-size:16px}
.grid{stroke:var(--line)}.axis{stroke:var(--soft);fill:none}.zero{stroke:var(--soft);stroke-dasharray:2 3}
.front{fill:none;stroke:var(--soft);stroke-width:1.6;stroke-dasharray:6 4}
.mark{stroke:var(--panel);stroke-width:1.4}.series:hover path{stroke-width:3.4}.mark:hover{stroke:var(--ink)}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.3rem;padding:0;margin:.2rem 0 1rem;font-size:.88rem}
.legend li{display:flex;align-items:center;gap:.45rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1.4rem;margin:.6rem 0}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
@media print{body{max-width:none}.tabs>section{display:block}}
`;

/** Script that sorts a table when a column header is clicked; a second click reverses the order. */
export const sorting = `
const value=(row,i)=>{const t=row.cells[i].textContent.replace('−','-').replace(/,/g,'').trim();const n=parseFloat(t);return Number.isNaN(n)?t:n};
const sort=th=>{const i=th.cellIndex,body=th.closest('table').tBodies[0],up=th.ariaSort!=='ascending';
for(const other of th.parentNode.cells)other.removeAttribute('aria-sort');th.setAttribute('aria-sort',up?'ascending':'descending');
const rows=[...body.rows].sort((a,b)=>{const x=value(a,i),y=value(b,i);const order=typeof x===typeof y?(x<y?-1:x>y?1:0):typeof x==='number'?-1:1;return up?order:-order});
body.append(...rows)};
for(const th of document.querySelectorAll('.sortable th')){th.onclick=()=>sort(th);th.onkeydown=e=>{if(e.key==='Enter'||e.key===' '){e.preventDefault();sort(th)}}}
`;
