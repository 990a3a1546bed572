#include "engine/serve/assets.hpp"

namespace ridgeline::serve {

const std::string_view style = R"(
:root{--good:#1a7f4b;--bad:#c2362b;--lost:#b58900;--busy:#0067a8;--panel:#f6f7f9;--add:#e3f5e9;--del:#fbe6e4}
@media screen and (prefers-color-scheme:dark){:root{--good:#4cc38a;--bad:#ff7b72;--lost:#d9b44a;--busy:#5db3f0;--panel:#1b1f25;--add:#12301f;--del:#3a1a1a}}
body{max-width:76rem;margin:1.2rem auto}
a{color:var(--busy);text-decoration:none}a:hover{text-decoration:underline}
header{display:flex;flex-wrap:wrap;align-items:baseline;gap:.2rem 1rem;border-bottom:1px solid var(--rule);padding-bottom:.5rem}
header h1{margin:0;flex:1}nav:empty{display:none}
#link{font-size:.85rem;color:var(--good)}#link::before{content:"\25cf";margin-right:.35rem}#link.lost{color:var(--bad)}
.tiles{display:flex;flex-wrap:wrap;gap:.5rem;margin:.7rem 0}
.tile{background:var(--panel);border-radius:.5rem;padding:.45rem .8rem;min-width:6rem}
.tile b{display:block;font-size:1.15rem;font-variant-numeric:tabular-nums}.tile span{font-size:.8rem;color:var(--quiet)}
.bar{display:flex;height:.5rem;border-radius:.25rem;overflow:hidden;background:var(--rule);margin:.6rem 0}
.bar i{height:100%}.bar .finished{background:var(--good)}.bar .running{background:var(--busy)}.bar .failed{background:var(--bad)}.bar .incomplete{background:var(--lost)}
.trajectories td.text,.trajectories th.text{text-align:left}.trajectories td:last-child{white-space:normal;min-width:13rem}
.trajectories tbody tr:hover{background:var(--panel)}
.state::before{content:"\25cf";margin-right:.35rem;color:var(--strong)}
.state.running::before{color:var(--busy)}.state.finished::before{color:var(--good)}.state.failed::before{color:var(--bad)}.state.incomplete::before{color:var(--lost)}
.good{color:var(--good)}.bad{color:var(--bad)}.busy{color:var(--busy)}
.walk{display:inline-flex;align-items:flex-end;gap:1px;height:1.1rem;vertical-align:middle}
.walk i{width:5px;background:var(--bad);border-radius:1px 1px 0 0}.walk .ok{background:var(--good)}.walk .busy{background:var(--busy)}.walk .none{background:var(--strong)}.walk .lost{background:var(--lost)}
.attempt{border:1px solid var(--rule);border-radius:.5rem;padding:.5rem .8rem;margin:.6rem 0}
.attempt p{margin:.15rem 0;overflow-wrap:anywhere}.ask{font-size:.86rem;color:var(--quiet)}
details{margin:.3rem 0}summary{cursor:pointer;font-size:.88rem;color:var(--busy)}
pre{font:12.5px/1.45 ui-monospace,monospace;background:var(--panel);border-radius:.4rem;padding:.6rem .8rem;overflow-x:auto;margin:.3rem 0}
pre.wrap{white-space:pre-wrap;overflow-wrap:anywhere}
pre span{display:block;min-height:1.45em}pre .add{background:var(--add)}pre .del{background:var(--del)}pre .hunk{color:var(--quiet)}
@media print{#link,nav{display:none}details{display:block}}
)";

// A part is replaced only when it changed, and details that a reader opened in it stay open. A page in the
// background asks less often.
const std::string_view script = R"(
(() => {
  const body = document.body, link = document.getElementById('link'), shown = {};
  let version = body.dataset.version;
  const put = (name, html) => {
    const part = document.getElementById(name);
    if (!part || shown[name] === html) return;
    shown[name] = html;
    const before = {};
    part.querySelectorAll('details[id]').forEach(item => { before[item.id] = item.open; });
    part.innerHTML = html;
    part.querySelectorAll('details[id]').forEach(item => { if (item.id in before) item.open = before[item.id]; });
  };
  const say = (text, lost) => { link.textContent = text; link.className = lost ? 'lost' : ''; };
  const refresh = async () => {
    try {
      const answer = await fetch(body.dataset.live + '?since=' + version, {cache: 'no-store'});
      if (answer.status === 200) {
        const news = await answer.json();
        for (const name in news.parts) put(name, news.parts[name]);
        version = news.version;
      }
      if (answer.ok) say('live', false); else say('the store cannot be read', true);
    } catch (error) {
      say('no answer from ridgeline serve', true);
    }
    setTimeout(refresh, document.hidden ? 10000 : 2000);
  };
  setTimeout(refresh, 2000);
})();
)";

}  // namespace ridgeline::serve
