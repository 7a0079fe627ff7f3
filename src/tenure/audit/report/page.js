"use strict";
const root = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)");
const drawn = new Map();

function theme() {
  const style = getComputedStyle(root);
  const colour = (name) => style.getPropertyValue(name).trim();
  const axis = { labelColor: colour("--soft"), titleColor: colour("--soft"), gridColor: colour("--grid"),
    domainColor: colour("--line"), tickColor: colour("--line"), labelFontSize: 12, titleFontWeight: "normal" };
  const legend = { labelColor: colour("--text"), titleColor: colour("--soft"), labelFontSize: 12, titleFontWeight: "normal" };
  return { background: null, font: "system-ui, sans-serif", axis, legend, view: { stroke: null } };
}

function draw(element) {
  const spec = JSON.parse(document.getElementById(element.id + "-spec").textContent);
  const options = { actions: false, renderer: "svg", logLevel: 1, config: theme(), tooltip: { theme: root.dataset.theme } };
  vegaEmbed(element, spec, options).then((result) => drawn.set(element, result));
}

const observer = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (entry.isIntersecting && !drawn.has(entry.target)) {
      drawn.set(entry.target, null);
      draw(entry.target);
    }
  }
}, { rootMargin: "300px" });

function setTheme(name) {
  root.dataset.theme = name;
  for (const [element, result] of drawn) {
    if (result) { result.finalize(); draw(element); }
  }
}

setTheme(dark.matches ? "dark" : "light");
dark.addEventListener("change", (event) => setTheme(event.matches ? "dark" : "light"));
document.getElementById("theme").addEventListener("click", () => setTheme(root.dataset.theme === "dark" ? "light" : "dark"));
document.querySelectorAll(".chart").forEach((element) => observer.observe(element));

function openGroup() {
  const element = location.hash && document.getElementById(location.hash.slice(1));
  if (element && element.tagName === "DETAILS") { element.open = true; element.scrollIntoView(); }
}
addEventListener("hashchange", openGroup);
openGroup();

document.querySelectorAll("table.sortable th button").forEach((button) => button.addEventListener("click", () => {
  const header = button.parentElement, table = header.closest("table"), body = table.tBodies[0];
  const index = [...header.parentElement.children].indexOf(header);
  const descending = header.getAttribute("aria-sort") !== "descending";
  table.querySelectorAll("th").forEach((each) => each.removeAttribute("aria-sort"));
  header.setAttribute("aria-sort", descending ? "descending" : "ascending");
  const value = (row) => row.cells[index].dataset.value ?? row.cells[index].textContent;
  const isNumber = header.classList.contains("number");
  const order = (a, b) => isNumber ? Number(value(a)) - Number(value(b)) : value(a).localeCompare(value(b));
  [...body.rows].sort((a, b) => descending ? -order(a, b) : order(a, b)).forEach((row) => body.append(row));
}));
