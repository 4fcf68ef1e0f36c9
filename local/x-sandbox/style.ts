/** One sheet for all of the sandbox's pages; colours are its own, not X's. */
export const STYLE = `
:root { --bg:#f6f5f2; --card:#fff; --text:#1d1c1a; --soft:#65625c; --line:#dedad2; --accent:#7a3ff2; --on-accent:#fff; --bad:#b3261e; --warn:#fff3c9; --warn-text:#4d3d00 }
@media (prefers-color-scheme: dark) { :root { --bg:#141316; --card:#1e1d21; --text:#eeebf2; --soft:#a6a1ad; --line:#37343d; --accent:#b79bff; --on-accent:#1b1030; --bad:#ff8a80; --warn:#3c3210; --warn-text:#ffe89a } }
* { box-sizing:border-box } body { margin:0; background:var(--bg); color:var(--text); font:16px/1.5 system-ui,sans-serif }
.banner { margin:0; padding:.5rem 1rem; text-align:center; background:var(--warn); color:var(--warn-text); font-size:.875rem }
header { border-bottom:1px solid var(--line); background:var(--card) } nav { display:flex; gap:1.25rem; align-items:center; max-width:38rem; margin:auto; padding:.6rem 1rem; flex-wrap:wrap }
nav .me { margin-inline-start:auto; display:flex; gap:.5rem; align-items:center } a { color:var(--accent) } nav a { text-decoration:none; font-weight:600 }
main { max-width:38rem; margin:1.5rem auto; padding:0 1rem } h1 { font-size:1.4rem; line-height:1.25; margin:0 0 .75rem } h2 { font-size:1.05rem; margin:1.25rem 0 .5rem }
.panel { background:var(--card); border:1px solid var(--line); border-radius:14px; padding:1.25rem; margin-bottom:1rem } .soft { color:var(--soft) } .bad { color:var(--bad) }
.avatar { border-radius:50%; display:block; flex:none } .name { font-weight:650; overflow-wrap:anywhere } .check { display:inline-grid; place-items:center; inline-size:1.1em; block-size:1.1em; border-radius:50%; font-size:.75em; color:#fff; background:#2f6fed }
.check.business { background:#a06b00 } .check.government { background:#6b6f76 }
button,.button { font:inherit; font-weight:650; border:1px solid transparent; border-radius:999px; padding:.6rem 1.2rem; cursor:pointer; background:var(--accent); color:var(--on-accent) }
button.quiet { background:none; color:inherit; border-color:var(--line) } button.full { inline-size:100% } :focus-visible { outline:3px solid var(--accent); outline-offset:2px }
.people { list-style:none; margin:0; padding:0; display:grid; gap:.5rem } .people button { inline-size:100%; display:flex; gap:.75rem; align-items:center; text-align:start; border-radius:12px; padding:.6rem .8rem; background:none; color:inherit; border-color:var(--line); font-weight:400 } .people button:hover { border-color:var(--accent) }
.row { display:flex; gap:.75rem; align-items:flex-start } .grow { flex:1; min-inline-size:0 } .actions { display:grid; gap:.6rem; margin-top:1.25rem } ul.scopes { padding-inline-start:1.2rem }
.post p { margin:.25rem 0; white-space:pre-wrap; overflow-wrap:anywhere } .link-card { display:block; border:1px solid var(--line); border-radius:12px; overflow:hidden; margin-top:.6rem; color:inherit; text-decoration:none } .link-card img { inline-size:100%; aspect-ratio:2/1; object-fit:cover; display:block } .link-card div { padding:.6rem .8rem } .link-card .soft { font-size:.875rem }
textarea { inline-size:100%; font:inherit; padding:.75rem; border-radius:12px; border:1px solid var(--line); background:var(--bg); color:inherit; resize:vertical }
`;
