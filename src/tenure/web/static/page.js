"use strict";
// Applies the updates of the server to the page, filters and sorts tables, and handles keyboard shortcuts.

const sorted = new Map(); // table -> { index, descending }

function replace(part) {
  const [id, container, html] = part;
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const fresh = holder.content.firstElementChild;
  const old = document.getElementById(id);
  const focused = old && old.contains(document.activeElement) ? document.activeElement.id : "";
  if (old) keepScroll(old, fresh);
  else document.getElementById(container).append(fresh);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  return id;
}

function keepScroll(old, fresh) {
  const positions = [...old.querySelectorAll(".scroll")].map((each) => [each.scrollLeft, each.scrollTop]);
  old.replaceWith(fresh);
  fresh.querySelectorAll(".scroll").forEach((each, index) => {
    if (positions[index]) [each.scrollLeft, each.scrollTop] = positions[index];
  });
}

function apply(update) {
  const ids = update.changed.map(replace);
  update.removed.forEach((id) => document.getElementById(id)?.remove());
  if (update.complete) removeAllBut(new Set(ids));
  document.querySelectorAll("[data-filter]").forEach(filter);
  for (const [table, order] of sorted) sort(table, order);
  document.dispatchEvent(new CustomEvent("parts", { detail: ids }));
}

function removeAllBut(ids) {
  document.querySelectorAll("[data-parts] > [id]").forEach((part) => { if (!ids.has(part.id)) part.remove(); });
}

function receiveUpdates() {
  const address = document.body.dataset.events;
  if (!address) return;
  const events = new EventSource(address);
  events.onmessage = (event) => apply(JSON.parse(event.data));
  events.addEventListener("gone", () => { events.close(); location.reload(); });
  addEventListener("pagehide", () => events.close());
}

function filter(input) {
  const wanted = input.value.trim().toLowerCase();
  for (const row of document.getElementById(input.dataset.filter).rows) {
    row.hidden = wanted !== "" && !row.textContent.toLowerCase().includes(wanted);
  }
}

function sort(table, { index, descending }) {
  const body = table.tBodies[0];
  const value = (row) => row.cells[index].dataset.value ?? row.cells[index].textContent.trim();
  const number = (row) => Number(value(row).replaceAll(",", "")) || 0;
  const isNumber = table.tHead.rows[0].cells[index].classList.contains("number");
  const order = (a, b) => (isNumber ? number(a) - number(b) : value(a).localeCompare(value(b)));
  const rows = [...body.rows].sort((a, b) => (descending ? -order(a, b) : order(a, b)));
  if (rows.some((row, at) => body.rows[at] !== row)) body.append(...rows);
}

document.querySelectorAll("table.sortable th button").forEach((button) => button.addEventListener("click", () => {
  const header = button.parentElement, table = header.closest("table");
  const descending = header.getAttribute("aria-sort") === "ascending" ||
    (header.classList.contains("number") && header.getAttribute("aria-sort") !== "descending");
  table.querySelectorAll("th").forEach((each) => each.removeAttribute("aria-sort"));
  header.setAttribute("aria-sort", descending ? "descending" : "ascending");
  sorted.set(table, { index: header.cellIndex, descending });
  sort(table, sorted.get(table));
}));

document.querySelectorAll("[data-filter]").forEach((input) => input.addEventListener("input", () => filter(input)));

const PAGES = { g: "/", t: "/topics", x: "/transactions", p: "/pipelines" };
addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, select, textarea");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    const input = document.querySelector("[data-filter]");
    if (input) { event.preventDefault(); input.focus(); }
  } else if (PAGES[event.key]) location.assign(PAGES[event.key]);
});

receiveUpdates();
