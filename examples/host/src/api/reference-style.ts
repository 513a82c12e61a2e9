/** The style of the reference page: light and dark, from 360 pixels to wide. */
export const STYLE = `:root{--ink:#1c2024;--soft:#5b6470;--line:#d9dee4;--page:#fff;--box:#f5f7f9;--link:#0b5cad}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ec;--soft:#a3adb8;--line:#343b43;--page:#14171a;--box:#1d2126;--link:#7db7f5}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0 auto;max-width:76rem;padding:1rem;color:var(--ink);background:var(--page);font:16px/1.5 system-ui,sans-serif;display:grid;grid-template-columns:minmax(0,1fr);gap:0 2rem}
header{grid-column:1/-1}
h1{margin:.2em 0}
h2{margin:2rem 0 .5rem;border-bottom:1px solid var(--line)}
h3{margin:1.5rem 0 .3rem;font-size:1rem;overflow-wrap:anywhere}
h3 a{color:inherit;text-decoration:none}
h4{margin:.8rem 0 .2rem;font-size:.85rem;color:var(--soft)}
p{margin:.4rem 0;max-width:44rem}
a{color:var(--link)}
a:focus-visible,pre:focus-visible{outline:2px solid var(--link);outline-offset:2px}
code{font:.85em/1.45 ui-monospace,monospace}
pre{margin:.3rem 0;padding:.6rem .8rem;overflow-x:auto;background:var(--box);border:1px solid var(--line);border-radius:6px}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.9rem}
th,td{padding:.25rem .8rem .25rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
th{color:var(--soft);font-weight:600}
nav ul{margin:0;padding:0;list-style:none;font-size:.85rem}
nav ul ul{display:none}
nav>ul{display:flex;flex-wrap:wrap;gap:.2rem 1rem}
.access,.problems{color:var(--soft);font-size:.85rem}
@media(min-width:60rem){body{grid-template-columns:14rem minmax(0,1fr)}
nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;padding:1rem 0}
nav>ul{display:block}nav ul ul{display:block;padding-left:.8rem}nav>ul>li{margin-bottom:.5rem}}
`;
