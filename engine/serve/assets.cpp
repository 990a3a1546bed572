#include "engine/serve/assets.hpp"

namespace ridgeline::serve {

// Behind the report's style (engine/report/assets/report.css), whose colours it uses.
const std::string_view style = R"(
body{max-width:80rem}nav:empty{display:none}
header{display:flex;flex-wrap:wrap;align-items:baseline;gap:.2rem 1rem;border-bottom:1px solid var(--rule);padding-bottom:.5rem}
header h1{margin:0;flex:1;overflow-wrap:anywhere}
#link{font-size:.85rem;color:var(--good)}#link::before{content:"\25cf";margin-right:.35rem}#link.lost{color:var(--bad)}
.tiles{display:flex;flex-wrap:wrap;gap:.5rem;margin:.7rem 0}
.tile{background:var(--panel);border-radius:.5rem;padding:.45rem .8rem;min-width:6rem}
.tile b{display:block;font-size:1.15rem;font-variant-numeric:tabular-nums}.tile span{font-size:.8rem;color:var(--quiet)}
.bar{display:flex;height:.5rem;border-radius:.25rem;overflow:hidden;background:var(--rule);margin:.6rem 0}
.bar i{height:100%}.bar .finished{background:var(--good)}.bar .running{background:var(--busy)}.bar .failed{background:var(--bad)}.bar .incomplete{background:var(--lost)}
.trajectories td.text,.trajectories th.text{text-align:left}.trajectories td:last-child{white-space:normal;min-width:13rem}
.trajectories :is(td,th):first-child{min-width:0}
.state::before{content:"\25cf";margin-right:.35rem;color:var(--strong)}
.state.running::before{color:var(--busy)}.state.finished::before{color:var(--good)}.state.failed::before{color:var(--bad)}.state.incomplete::before{color:var(--lost)}
.walk{display:inline-flex;align-items:flex-end;gap:1px;height:1.1rem;vertical-align:middle}
.walk i{width:5px;background:var(--bad);border-radius:1px 1px 0 0}.walk .ok{background:var(--good)}.walk .busy{background:var(--busy)}.walk .none{background:var(--strong)}.walk .lost{background:var(--lost)}
@media print{#link,nav{display:none}}
)";

// Behind the report's script. A part is replaced only when it changed; details that a reader opened in it
// stay open, choices stay chosen, and the focus stays where it was. A page in the background asks less often.
const std::string_view script = R"(
(() => {
  const body = document.body, link = document.getElementById('link'), shown = {};
  const kept = 'details[id],input[type=radio]';
  if (!body.dataset.live) return;
  let version = body.dataset.version;
  const put = (name, html) => {
    const part = document.getElementById(name);
    if (!part || shown[name] === html) return;
    shown[name] = html;
    const before = {}, focused = document.activeElement && document.activeElement.id;
    part.querySelectorAll(kept).forEach(item => { before[item.id] = item.open ?? item.checked; });
    part.innerHTML = html;
    part.querySelectorAll(kept).forEach(item => {
      if (!(item.id in before)) return;
      if (item.open === undefined) item.checked = before[item.id]; else item.open = before[item.id];
    });
    report(part);
    const again = focused && document.getElementById(focused);
    if (again && again !== document.activeElement) again.focus({preventScroll: true});
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
