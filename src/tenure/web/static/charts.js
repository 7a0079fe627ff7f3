"use strict";
// Draws the charts of the page, and updates them when new data arrive.

const dark = matchMedia("(prefers-color-scheme: dark)");
const drawn = new Map(); // name -> { text of the specification, view }

function theme() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const axis = { labelColor: colour("--soft"), titleColor: colour("--soft"), gridColor: colour("--grid"),
    domainColor: colour("--line"), tickColor: colour("--line"), labelFontSize: 12, titleFontWeight: "normal" };
  const legend = { labelColor: colour("--text"), labelFontSize: 12 };
  return { background: null, font: "system-ui, sans-serif", axis, legend, view: { stroke: null } };
}

const read = (id) => document.getElementById(id).textContent;

async function draw(name) {
  const text = read(`${name}-spec`), known = drawn.get(name);
  if (known && known.text === text) {
    known.view?.data(name, JSON.parse(read(`${name}-data`))).runAsync();
    return;
  }
  const element = document.getElementById(name), entry = { text, view: null };
  drawn.set(name, entry);
  known?.view?.finalize();
  const spec = JSON.parse(text);
  if (!spec) { element.textContent = element.dataset.empty; return; }
  spec.data.values = JSON.parse(read(`${name}-data`));
  // The interpreter of expressions (ast) needs no permission to evaluate text as a script.
  const options = { actions: false, renderer: "svg", ast: true, defaultStyle: false, logLevel: 1, config: theme(),
    tooltip: { disableDefaultStyle: true } };
  entry.view = (await vegaEmbed(element, spec, options)).view;
}

function drawAll(ids) {
  for (const element of document.querySelectorAll(".chart")) {
    if (!ids || ids.some((id) => id.startsWith(`${element.id}-`))) draw(element.id);
  }
}

document.addEventListener("parts", (event) => drawAll(event.detail));
dark.addEventListener("change", () => { drawn.forEach((each) => each.view?.finalize()); drawn.clear(); drawAll(); });
drawAll();
