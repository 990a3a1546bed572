// Runs the live page's script over a page of stand-ins: a part that changed is replaced, details that a
// reader opened stay open, and the page says when nobody answers. The script is the text in assets.cpp;
// site_test proves that a page carries it.
//
//   node live_page_test.mjs engine/serve/assets.cpp
import assert from 'node:assert/strict';
import fs from 'node:fs';
import vm from 'node:vm';

const source = fs.readFileSync(process.argv[2], 'utf8');
const [, script] = source.match(/string_view script = R"\(([\s\S]*?)\)";/);

// A part whose details are those that its HTML names, as `ID` or as `ID!` if they are open.
class Part {
  replaced = 0;
  items = [];
  set innerHTML(html) {
    ++this.replaced;
    this.items = html.split(' ').map(name => ({id: name.replace('!', ''), open: name.endsWith('!')}));
  }
  querySelectorAll(selector) {
    assert.equal(selector, 'details[id],input[type=radio]');
    return this.items;
  }
  open() { return this.items.filter(item => item.open).map(item => item.id); }
}

const part = new Part(), link = {};
const asked = [], waits = [];
let refresh, respond, made_ready = 0;
const document = {
  body: {dataset: {version: '1', live: '/live'}},
  hidden: false,
  getElementById: name => ({link, part})[name] ?? null,
};
vm.runInNewContext(script, {
  document,
  report: root => { assert.equal(root, part); ++made_ready; },
  fetch: async address => { asked.push(address); return respond(); },
  setTimeout: (call, milliseconds) => { refresh = call; waits.push(milliseconds); },
});
const news = (version, html) => () => ({status: 200, ok: true, json: async () => ({version, parts: {part: html, gone: 'x'}})});

respond = news('2', 'a b c!');
await refresh();
assert.deepEqual(asked, ['/live?since=1']);
assert.deepEqual(part.open(), ['c']);
assert.deepEqual([link.textContent, link.className], ['live', '']);

part.items[0].open = true;   // by the reader
part.items[2].open = false;
respond = news('3', 'a b c! d!');
await refresh();
assert.equal(asked.at(-1), '/live?since=2');
assert.deepEqual(part.open(), ['a', 'd'], 'what the reader opened and closed stays so');

respond = news('4', 'a b c! d!');
await refresh();
assert.equal(part.replaced, 2, 'the same text is not put again');
assert.equal(made_ready, 2, 'tables of what was put can be sorted');

respond = () => ({status: 204, ok: true});  // nothing new
await refresh();
assert.deepEqual([part.replaced, link.textContent], [2, 'live']);

respond = () => ({status: 500, ok: false});
await refresh();
assert.deepEqual([link.textContent, link.className], ['the store cannot be read', 'lost']);

respond = () => { throw new Error('refused'); };
document.hidden = true;
await refresh();
assert.deepEqual([link.textContent, link.className], ['no answer from ridgeline serve', 'lost']);
assert.deepEqual(waits, [2000, 2000, 2000, 2000, 2000, 2000, 10000]);
console.log('live page: passed');
