'use strict';
(() => {
  // Everything is opened for printing.
  addEventListener('beforeprint', () => {
    for (const fold of document.querySelectorAll('details')) fold.open = true;
  });

  const form = document.getElementById('filter');
  if (!form) return;
  const section = document.getElementById('wrong');
  const names = ['list', 'kind', 'rule', 'text'];
  const rows = [...section.querySelectorAll('article.miss')];
  const lists = [...section.querySelectorAll('.list')];
  const shown = form.querySelector('output');
  const texts = new Map();

  const text = (row) => {
    if (!texts.has(row)) texts.set(row, row.textContent.toLowerCase());
    return texts.get(row);
  };

  const filter = () => {
    const wanted = names.map((name) => [name, form.elements[name].value.trim()]);
    const fits = (row) => wanted.every(([name, value]) => {
      if (value === '') return true;
      return name === 'text' ? text(row).includes(value.toLowerCase()) : row.dataset[name] === value;
    });
    let count = 0;
    for (const row of rows) {
      row.hidden = !fits(row);
      if (!row.hidden) count += 1;
    }
    for (const list of lists) {
      const all = list.querySelectorAll('article.miss').length;
      const left = list.querySelectorAll('article.miss:not([hidden])').length;
      list.hidden = left === 0;
      list.querySelector('.of').textContent = left === all ? '' : `${left} of them shown`;
    }
    shown.textContent = `${count === 0 ? 'Nothing matches: ' : ''}${count} of ${rows.length} shown`;
    return wanted.filter(([, value]) => value !== '');
  };

  // A filter can be linked to: #kind=near-miss&text=sample
  const read = () => {
    const asked = new URLSearchParams(location.hash.slice(1));
    if (location.hash !== '' && !names.some((name) => asked.has(name))) return;
    for (const name of names) form.elements[name].value = asked.get(name) ?? '';
    filter();
    if (location.hash !== '') section.scrollIntoView();
  };

  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', () => {
    const hash = new URLSearchParams(filter()).toString();
    try {
      history.replaceState(null, '', hash === '' ? location.pathname : `#${hash}`);
    } catch {
      // A page in a frame may not name its address: the filter works all the same.
    }
  });
  addEventListener('hashchange', read);
  form.hidden = false;
  filter();
  read();
})();
