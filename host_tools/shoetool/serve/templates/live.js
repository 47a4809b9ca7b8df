"use strict";
// Draws what the server tells: the list of tables, or one table. The token stands behind the # of the address.
const main = document.getElementById("main");
const told = document.getElementById("told");
const title = document.getElementById("title");
let socket = null;
let again = 0;

const asked = () => new URLSearchParams(location.hash.slice(1));

function make(tag, words = {}, ...inside) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(words)) {
    if (value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...inside.filter(one => one !== null && one !== undefined && one !== ""));
  return node;
}

function card(one) {
  const red = /[♥♦]/.test(one.card || "");
  const node = make("span", {class: `card${one.card ? "" : " back"}${red ? " red" : ""}`, role: "img", "aria-label": one.words});
  if (one.card) {
    const suit = /[♣♦♥♠]$/.test(one.card) ? one.card.slice(-1) : "";
    node.append(make("span", {"aria-hidden": "true"}, suit ? one.card.slice(0, -1) : one.card));
    if (suit) node.append(make("span", {class: "suit", "aria-hidden": "true"}, suit + "\ufe0e"));
  }
  return node;
}

function hand(name, one, words) {
  const total = one.total === null || one.total === undefined ? "" : `${one.soft ? "soft " : ""}${one.total}`;
  return make("section", {class: `hand${one.turn ? " turn" : ""}`},
    make("h3", {}, name),
    make("div", {class: "row"}, ...one.cards.map(card)),
    make("p", {}, [total, ...words].filter(Boolean).join(" · ") || (one.cards.length ? "" : "no cards")));
}

// Lamps whose words on the other screens are not their names.
const WORDS = {stop: "STOP", cover: "last round", clean: "clean soon", deal_a: "deal A", deal_b: "deal B"};
const lamps = state => make("ul", {class: "lamps", "aria-label": "Lamps"},
  ...state.lamps.map(lamp => make("li", {class: lamp}, WORDS[lamp] || lamp.replaceAll("_", " "))));

function drawTable(message) {
  const state = message.state;
  title.textContent = document.title = `Table ${message.table}`;
  document.body.classList.toggle("stale", message.line !== undefined && message.line !== "open");
  if (!state) {
    main.replaceChildren(back(), make("p", {}, "Nothing was dealt yet."));
    return;
  }
  const round = state.round === null ? "no round yet" : `round ${state.round}${state.round_open ? "" : " · closed"}`;
  const parts = [back(), make("p", {class: "soft"}, [state.game, state.decks && `${state.decks} decks`,
    state.number && `table ${state.number}`, round, state.side && `dealt from side ${state.side}`].filter(Boolean).join(" · "))];
  parts.push(lamps(state));
  for (const fault of state.faults) parts.push(make("p", {class: "notice differs"}, fault));
  for (const note of state.notes) parts.push(make("p", {class: "notice"}, note));
  const hands = [];
  if (state.determinant) hands.push(hand("Determinant card", {cards: [state.determinant]}, []));
  hands.push(hand("Dealer", state.dealer, [state.dealer.reader && `reader: ${state.dealer.reader}`]));
  if (state.shared.length) hands.push(hand("Shared cards", {cards: state.shared}, []));
  for (const {position, hands: lying} of state.positions) {
    lying.forEach((one, at) => hands.push(hand(
      `Position ${position}${lying.length > 1 ? `, ${one.switch_hand ? "switch hand" : `hand ${at + 1}`}` : ""}`,
      one, [one.doubled && one.ended !== "doubled" && "doubled", one.ended !== String(one.total) && one.ended,
        one.turn && "in turn"])));
  }
  for (const [name, lying] of [["Held", state.held], ["Set aside", state.set_aside]]) {
    if (lying.length) hands.push(hand(name, {cards: lying}, []));
  }
  parts.push(make("div", {class: "hands"}, ...hands));
  for (const side of state.sides) {
    const name = state.sides.length > 1 ? `Side ${side.side}` : "Shoe";
    const text = `${name}: ${side.drawn}${side.loaded ? ` of ${side.loaded}` : ""} drawn`;
    parts.push(make("p", {class: "soft side"}, `${text} `,
      side.loaded ? make("progress", {max: side.loaded, value: side.drawn, "aria-label": text}) : ""));
  }
  main.replaceChildren(...parts);
}

function drawPit(message) {
  title.textContent = document.title = "Tables";
  document.body.classList.remove("stale");
  const token = asked().get("token") || "";
  main.replaceChildren(make("ul", {class: "pit"}, ...message.tables.map(one => {
    const stop = (one.lamps || []).includes("stop");
    const link = make("a", {href: `#${new URLSearchParams({token, table: one.table})}`,
      class: one.line !== "open" ? "lost" : stop ? "stop" : ""},
      make("strong", {}, `Table ${one.table}`),
      make("p", {class: "soft"}, one.line === "open" ? [one.game || "no shoe", one.round && `round ${one.round}`].filter(Boolean).join(" · ")
        : `line ${one.line}${one.why ? `: ${one.why}` : ""}`));
    for (const fault of one.faults || []) link.append(make("p", {class: "differs"}, fault));
    for (const note of (one.notes || []).slice(-1)) link.append(make("p", {}, note));
    return make("li", {}, link);
  })));
}

const back = () => make("p", {}, make("a", {href: `#${new URLSearchParams({token: asked().get("token") || ""})}`}, "All tables"));

function open() {
  if (socket) {
    socket.onclose = null;
    socket.close();
  }
  const token = asked().get("token"), table = asked().get("table");
  if (!token) {
    told.textContent = "The address lacks its token: open the one that shoetool serve printed.";
    return;
  }
  const where = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws${table ? `/${encodeURIComponent(table)}` : ""}`;
  socket = new WebSocket(where);
  socket.onopen = () => socket.send(JSON.stringify({token}));
  socket.onmessage = event => {
    const message = JSON.parse(event.data);
    again = 0;
    told.textContent = message.type === "record" ? message.sentence
      : message.line && message.line !== "open" ? `The line to the shoe is ${message.line}.` : "";
    if (message.type === "tables") drawPit(message);
    else drawTable(message);
  };
  socket.onclose = event => {
    document.body.classList.add("stale");
    if (event.code === 4401) told.textContent = "The token is wrong: open the address that shoetool serve printed.";
    else if (event.code === 4404) told.textContent = "There is no such table.";
    else {
      told.textContent = "The connection is lost; trying again.";
      setTimeout(open, Math.min(10000, 500 * 2 ** again++));
    }
  };
}

addEventListener("hashchange", () => {
  main.replaceChildren();
  open();
});
open();
