// What a reader can do in a report beyond following links: sort and filter tables, open what a link leads to,
// see which command shows a trajectory that is not in the file. A report reads without it.
//
// `report(root)` makes ready what is within `root`. The live page calls it again for each part that it
// replaces: what was sorted, filtered or chosen is kept by the ids of tables and buttons.
const report = (() => {
  const sorted = {}, filtered = {};

  // A figure's value: the per cent of "3/8 38%", else the first number; a dash has none.
  const value = text => {
    const per_cent = text.match(/(-?[\d.]+)\s?%/), number = text.match(/^[<#]?\s*(-?[\d.]+)/);
    const found = per_cent || number;
    return found ? parseFloat(found[1]) : null;
  };

  const compare = (a, b) => {
    const x = value(a), y = value(b);
    if (x !== null && y !== null) return x - y;
    if (x !== null || y !== null) return x === null ? -1 : 1;
    return a.localeCompare(b, undefined, {numeric: true});
  };

  const sort = (table, column, down) => {
    sorted[table.id] = [column, down];
    const body = table.tBodies[0], text = row => row.cells[column].textContent.trim();
    const rows = [...body.rows].sort((a, b) => compare(text(a), text(b)) * (down ? -1 : 1));
    body.append(...rows);
    [...table.tHead.rows[0].cells].forEach((cell, index) => {
      if (index === column) cell.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      else cell.removeAttribute('aria-sort');
    });
  };

  const filter = (table, text) => {
    filtered[table.id] = text;
    // Each word, and each phrase between quotes.
    const words = [...text.toLowerCase().matchAll(/"([^"]+)"?|[^\s"]+/g)].map(found => found[1] || found[0]);
    let left = 0;
    for (const row of table.tBodies[0].rows) {
      const content = [...row.cells].map(cell => cell.textContent).join('  ').toLowerCase();
      row.hidden = !words.every(word => content.includes(word));
      left += !row.hidden;
    }
    const count = document.getElementById('left-' + table.id);
    if (count) count.textContent = words.length ? left + ' of ' + table.tBodies[0].rows.length : '';
  };

  const add_sorting = table => {
    [...table.tHead.rows[0].cells].forEach((cell, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...cell.childNodes);
      // Figures begin with the largest, names with the first.
      button.addEventListener('click', () => {
        const now = cell.getAttribute('aria-sort');
        sort(table, column, now ? now === 'ascending' : column > 0);
      });
      cell.append(button);
    });
    if (sorted[table.id]) sort(table, ...sorted[table.id]);
  };

  const add_filter = table => {
    const line = document.createElement('p');
    line.className = 'filter';
    line.innerHTML = '<label>Filter <input type="search" autocomplete="off"></label> <output></output>';
    const input = line.querySelector('input');
    input.id = 'filter-' + table.id;
    input.value = filtered[table.id] || '';
    line.querySelector('output').id = 'left-' + table.id;
    input.addEventListener('input', () => filter(table, input.value));
    table.parentElement.before(line);
    if (input.value) filter(table, input.value);
  };

  // A link's end may hold a percent that encodes nothing: decoding throws then, and the name stands as it is.
  const target_name = () => {
    const name = location.hash.slice(1);
    try {
      return decodeURIComponent(name);
    } catch {
      return name;
    }
  };

  // Opens whatever folds around a link's target, and the target itself.
  const open_target = () => {
    const name = target_name(), target = name && document.getElementById(name);
    if (!target) return;
    for (let fold = target.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
    target.scrollIntoView();
    const focus = target.matches('details') ? target.querySelector('summary') : target;
    if (focus.tabIndex >= 0) focus.focus({preventScroll: true});
  };

  // A category leads to its tasks; a trajectory that is not in the file to its command.
  const clicked = event => {
    const category = event.target.closest('[data-filter]');
    const table = category && document.getElementById('task-table');
    if (table) {
      const input = document.getElementById('filter-task-table');
      if (input) input.value = category.dataset.filter;
      filter(table, category.dataset.filter);
    }
    const chip = event.target.closest('[data-show] b'), hint = document.getElementById('hint');
    if (!chip || !hint) return;
    const number = chip.textContent.match(/\d+/)[0];
    hint.textContent = chip.closest('[data-show]').dataset.show + ' ' + number;
    hint.hidden = false;
  };

  const pressed = event => {
    if (event.key === 'Escape') {
      const hint = document.getElementById('hint');
      if (hint) hint.hidden = true;
      const input = document.activeElement;
      if (input && input.type === 'search' && input.value) {
        input.value = '';
        input.dispatchEvent(new Event('input'));
      }
    }
    if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
    const input = document.getElementById('filter-task-table');
    if (!input) return;
    event.preventDefault();
    input.focus();
  };

  document.addEventListener('click', clicked);
  document.addEventListener('keydown', pressed);
  addEventListener('hashchange', open_target);

  return root => {
    root.querySelectorAll('table[id]').forEach(table => {
      if (!table.tHead || table.tBodies[0].rows.length < 2) return;
      if (table.tBodies[0].rows.length > 12) add_filter(table);
      add_sorting(table);
    });
    if (root === document) open_target();
  };
})();
report(document);
