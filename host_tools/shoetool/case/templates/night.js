"use strict";
// Finds rounds and saves tables. Without it the page shows every round.
const form = document.getElementById("filters");
const rounds = [...document.querySelectorAll("article.round")];
const suits = {C: "♣", D: "♦", H: "♥", S: "♠"};

function asCard(text) {
  const word = text.trim().toUpperCase().replace(/^T(?=[CDHS♣♦♥♠])/, "10");
  return word.replace(/[CDHS]$/, sign => suits[sign]);
}

// A time without its day lies within a round that began before it and ended after it, on any day of the page.
function within(round, from, to) {
  const {from: began, to: ended} = round.dataset;
  if (!from && !to) return true;
  if (!began && !ended) return false;
  const [begin, end] = [began || ended, ended || began];
  const [first, last] = [begin.slice(11, 23), end.slice(11, 23)];
  if (first <= last) return meets(first, last, from, to);
  // Clocks were set back in it: it may have been under way at any of these times. Else it lasted over midnight.
  if (begin.slice(0, 10) === end.slice(0, 10)) return meets(last, first, from, to);
  return meets(first, "24", from, to) || meets("00", last, from, to);
}

// From a time to an earlier one is over midnight.
function meets(first, last, from, to) {
  if (from && to && from > to) return last >= from || first <= to;
  return (!from || last >= from) && (!to || first <= to);
}

function show() {
  const asked = Object.fromEntries(new FormData(form));
  const card = asCard(asked.card);
  let shown = 0;
  for (const round of rounds) {
    const has = (key, sign, value) => !value || round.dataset[key].split(sign).includes(value);
    const fits = has("positions", " ", asked.position) && has("cards", " ", card) && has("wagers", "|", asked.wager)
      && has("findings", "|", asked.finding) && within(round, asked.from, asked.to);
    round.hidden = !fits;
    shown += fits;
  }
  document.getElementById("count").textContent = `${shown} of ${rounds.length} rounds`;
}

// A spreadsheet must not take a text for a formula.
function cell(text) {
  const plain = text.replace(/\s+/g, " ").trim();
  const safe = /^[=+\-@]/.test(plain) && !/^[+-]?\d+(\.\d+)?$/.test(plain) ? "'" + plain : plain;
  return `"${safe.replaceAll('"', '""')}"`;
}

function save(name, rows) {
  const text = "\ufeff" + rows.map(row => row.map(cell).join(",")).join("\r\n") + "\r\n";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], {type: "text/csv"}));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function roundRows() {
  const head = ["round", "began", "ended", "positions", "findings", "totals"];
  return [head, ...rounds.filter(round => !round.hidden).map(round => [
    round.dataset.title, round.dataset.from, round.dataset.to, round.dataset.positions,
    round.dataset.findings.replaceAll("|", "; "), round.dataset.totals,
  ])];
}

for (const button of document.querySelectorAll("button.csv")) {
  button.addEventListener("click", () => {
    const table = document.getElementById(button.dataset.table);
    if (!table) return save(button.dataset.rounds, roundRows());
    save(button.dataset.name, [...table.rows].map(row => [...row.cells].map(one => one.textContent)));
  });
}

// A link to a round opens it, also where a filter hides it.
function follow() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target || !target.matches("article.round")) return;
  if (target.hidden) {
    form.reset();
    show();
  }
  target.querySelector("details").open = true;
  target.scrollIntoView();
}

form.addEventListener("input", show);
form.addEventListener("reset", () => setTimeout(show));
form.addEventListener("submit", event => event.preventDefault());
addEventListener("hashchange", follow);
addEventListener("beforeprint", () => rounds.forEach(round => { if (!round.hidden) round.querySelector("details").open = true; }));
show();
follow();
