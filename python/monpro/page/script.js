"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const MANY_ROWS = 12;
const SVG = "http://www.w3.org/2000/svg";
const byId = id => document.getElementById(id);

// ---- elements

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function drawn(name, attributes = {}, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

const distinct = values => [...new Set(values)];
const control = (box, name) => box.querySelector(`[data-for="${name}"]`);
const chosen = (box, name) => {
  const field = control(box, name);
  return field.type === "checkbox" ? field.checked : field.value;
};

// Fills a select; keeps what was chosen if that is still offered, else takes the preferred value.
function offer(select, values, preferred, words = value => value) {
  const kept = values.map(String).includes(select.value) ? select.value : String(preferred ?? values[0]);
  select.replaceChildren(...values.map(value => {
    const option = element("option", {value}, words(value));
    option.selected = String(value) === kept;
    return option;
  }));
}

// ---- numbers

const digits = value => {
  if (value === 0) return "0";
  const places = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return Number(value.toFixed(Math.min(places, 6))).toLocaleString("en");
};
function time(nanoseconds) {
  for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["µs", 1e3]])
    if (nanoseconds >= size) return `${digits(nanoseconds / size)} ${unit}`;
  return `${digits(nanoseconds)} ns`;
}
const tick = value => value === 0 || value >= 1e-3 && value < 1e6 ? Number(value.toPrecision(6)).toLocaleString("en") : value.toExponential();

// ---- tables: every heading sorts; a table saves itself as CSV or JSON

const cellText = cell => cell.dataset.value ?? cell.textContent.trim();

function sortable(table) {
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, place) => {
    const button = element("button", {type: "button"}, ...heading.childNodes);
    heading.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = heading.getAttribute("aria-sort") === "ascending";
      headings.forEach(other => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      const body = table.tBodies[0];
      const key = row => cellText(row.cells[place]);
      const compare = (a, b) => {
        const [x, y] = [key(a), key(b)];
        const [m, n] = [x, y].map(text => parseFloat(text.replace(/,/g, "")));
        if (!x || !y) return !x - !y;
        const order = Number.isNaN(m) || Number.isNaN(n) ? x.localeCompare(y, "en", {numeric: true}) : m - n;
        return down ? -order : order;
      };
      body.append(...[...body.rows].sort(compare));
    });
  });
}

function showTable(box, caption, columns, rows) {
  const head = element("tr", {}, ...columns.map(column =>
    element("th", column.number ? {scope: "col", class: "number"} : {scope: "col"}, column.title)));
  const body = element("tbody");
  for (const row of rows) {
    const line = element("tr", row.best ? {class: "best"} : {});
    columns.forEach((column, place) => {
      const value = row[column.key];
      const text = value === null || value === undefined ? "" : column.show ? column.show(value, row) : String(value);
      const cell = element(place ? "td" : "th", place ? {"data-label": column.title} : {scope: "row"}, text);
      if (column.number || column.prose) cell.className = column.number ? "number" : "prose";
      if (typeof value === "number") cell.dataset.value = value;
      line.append(cell);
    });
    body.append(line);
  }
  const table = element("table", {"data-name": box.id}, element("caption", {}, caption), element("thead", {}, head), body);
  box.replaceChildren(table);
  sortable(table);
}

function tableData(table) {
  const names = [...table.tHead.rows[0].cells].map(cell => cell.textContent.trim());
  const rows = [...table.tBodies[0].rows].filter(row => !row.hidden);
  return {names, rows: rows.map(row => [...row.cells].map(cellText))};
}

const csvLine = cells => cells.map(cell => `"${String(cell).replace(/"/g, '""')}"`).join(",") + "\n";

function save(name, type, text) {
  const link = element("a", {download: name, href: URL.createObjectURL(new Blob([text], {type}))});
  document.body.append(link);
  link.click();
  link.remove();
}

function saveTable(table, kind) {
  const {names, rows} = tableData(table);
  const name = `monpro-${table.dataset.name}.${kind}`;
  if (kind === "csv") return save(name, "text/csv", csvLine(names) + rows.map(csvLine).join(""));
  const objects = rows.map(row => Object.fromEntries(row.map((cell, place) => [names[place], cell])));
  return save(name, "application/json", JSON.stringify(objects, null, 1));
}

function allRows() {
  const lines = [];
  for (const table of document.querySelectorAll("#items table")) {
    const {names, rows} = tableData(table);
    if (!lines.length) lines.push(csvLine(["item", ...names]));
    lines.push(...rows.map(row => csvLine([table.dataset.name, ...row])));
  }
  return lines.join("");
}

// ---- charts

const SHAPES = [
  (x, y, r) => `M${x - r},${y}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0z`,
  (x, y, r) => `M${x - r},${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
  (x, y, r) => `M${x},${y - 1.3 * r}L${x + 1.2 * r},${y + r}H${x - 1.2 * r}z`,
  (x, y, r) => `M${x},${y - 1.4 * r}L${x + 1.4 * r},${y}L${x},${y + 1.4 * r}L${x - 1.4 * r},${y}z`,
  (x, y, r) => `M${x},${y + 1.3 * r}L${x + 1.2 * r},${y - r}H${x - 1.2 * r}z`,
];
const look = place => ({colour: `s${place % 8 + 1}`, shape: SHAPES[(place + Math.floor(place / 8)) % SHAPES.length]});

function scale(values, logarithmic, from, to) {
  let [least, most] = [Math.min(...values), Math.max(...values)];
  if (!logarithmic) least = Math.min(0, least);
  if (least === most) [least, most] = logarithmic ? [least / 2, most * 2] : [least, most + 1];
  const warp = logarithmic ? Math.log : value => value;
  const pad = 0.06 * (warp(most) - warp(least));
  const [low, high] = [warp(least) - (logarithmic ? pad : 0), warp(most) + pad];
  const place = value => from + (to - from) * (warp(value) - low) / (high - low);
  const room = Math.abs(to - from), ticks = [];
  if (logarithmic) {
    const steps = (high - low) / Math.LN10 < 1.6 ? [1, 2, 3, 5, 7] : (high - low) / Math.LN10 < 3 ? [1, 2, 5] : [1];
    for (let power = Math.floor(low / Math.LN10); power <= high / Math.LN10; power++)
      for (const step of steps) ticks.push(step * 10 ** power);
  } else {
    const step = [1, 2, 5, 10].map(k => k * 10 ** Math.floor(Math.log10(most / 5))).find(s => most / s <= 6) ?? most / 5;
    for (let value = 0; value <= high; value += step) ticks.push(value);
  }
  const shown = ticks.filter(value => warp(value) >= low && warp(value) <= high);
  const every = Math.ceil(shown.length / (room / 45));
  return {place, ticks: shown.filter((_, k) => k % every === 0)};
}

// series: {name, points: [{x, y, text}], line, limit, number}; front: points to join; the readout tells the point.
class Chart {
  constructor(box) {
    this.box = box;
    this.hidden = new Set();
    this.svg = drawn("svg", {role: "img", tabindex: "0"});
    this.legend = element("ul", {class: "legend"});
    this.title = element("p", {class: "title muted"});
    this.readout = element("p", {class: "readout muted", "aria-live": "polite"});
    box.append(this.title, this.svg, this.legend, this.readout);
    this.svg.addEventListener("keydown", event => this.key(event));
    this.svg.addEventListener("pointermove", event => this.hover(event));
    this.svg.addEventListener("pointerdown", event => this.hover(event));
    new ResizeObserver(() => this.width !== box.clientWidth && this.draw()).observe(box);
  }

  show(content) {
    this.content = content;
    this.draw();
  }

  draw() {
    if (!this.content) return;
    const {series, x, y, title, front} = this.content;
    this.width = this.box.clientWidth;
    const width = Math.max(240, this.width - 34), height = width < 500 ? 300 : 400;
    const seen = series.filter(one => !this.hidden.has(one.name));
    const all = seen.flatMap(one => one.points);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.title.textContent = title;
    this.svg.setAttribute("aria-label", `${title}. The table below has the same figures.`);
    this.svg.replaceChildren();
    this.spots = [];
    this.showLegend(series);
    this.readout.textContent = all.length ? "Point at a mark, or use the arrow keys, to read its figures." : "";
    if (!all.length) {
      this.svg.append(drawn("text", {x: width / 2, y: height / 2, "text-anchor": "middle"}, this.content.empty ?? "nothing is recorded for this choice"));
      return;
    }
    const left = 58, bottom = height - 40;
    const across = scale(all.map(point => point.x), x.log, left, width - 12);
    const up = scale(all.map(point => point.y), y.log, bottom, 26);
    this.svg.append(drawn("text", {x: 4, y: 12, class: "label"}, y.title));
    this.svg.append(drawn("text", {x: width - 4, y: height - 4, "text-anchor": "end", class: "label"}, x.title));
    for (const value of up.ticks) {
      const at = up.place(value);
      this.svg.append(drawn("line", {x1: left, x2: width - 8, y1: at, y2: at, class: "grid"}));
      this.svg.append(drawn("text", {x: left - 6, y: at + 4, "text-anchor": "end"}, tick(value)));
    }
    let last = -99;
    for (const value of x.ticks ? x.ticks.filter(size => all.some(point => point.x === size)) : across.ticks) {
      const at = across.place(value);
      if (at - last < 42) continue;
      last = at;
      this.svg.append(drawn("line", {x1: at, x2: at, y1: 26, y2: bottom, class: "grid"}));
      this.svg.append(drawn("text", {x: at, y: bottom + 16, "text-anchor": "middle"}, tick(value)));
    }
    const path = points => points.map((p, k) => `${k ? "L" : "M"}${across.place(p.x).toFixed(1)},${up.place(p.y).toFixed(1)}`).join("");
    if (front?.length) {
      const steps = front.flatMap((p, k) => k ? [{x: p.x, y: front[k - 1].y}, p] : [p]);
      const begin = `M${across.place(front[0].x).toFixed(1)},26L`, end = `H${width - 8}`;
      this.svg.append(drawn("path", {d: begin + path(steps).slice(1) + end, class: "front"}));
    }
    for (const one of seen) {
      const {colour, shape} = look(one.number);
      if (one.line) this.svg.append(drawn("path", {d: path(one.points), class: `line ${colour}${one.limit ? " limit" : ""}`}));
      if (one.limit) continue;
      for (const point of one.points) {
        const [px, py] = [across.place(point.x), up.place(point.y)];
        const mark = drawn("path", {d: shape(px, py, one.line ? 3.5 : 6), class: `mark ${colour}`});
        mark.append(drawn("title", {}, point.text));
        this.svg.append(mark);
        this.spots.push({px, py, mark, text: point.text});
      }
    }
    this.spots.sort((a, b) => a.px - b.px || a.py - b.py);
  }

  showLegend(series) {
    this.legend.replaceChildren(...series.map(one => {
      const {colour, shape} = look(one.number);
      const icon = drawn("svg", {viewBox: "0 0 14 14", class: colour, "aria-hidden": "true"});
      icon.append(one.limit ? drawn("path", {d: "M0,7H14", class: `line limit ${colour}`}) : drawn("path", {d: shape(7, 7, 4), class: "mark"}));
      const button = element("button", {type: "button", "aria-pressed": String(!this.hidden.has(one.name))}, icon, ` ${one.name}`);
      button.addEventListener("click", () => {
        this.hidden.has(one.name) ? this.hidden.delete(one.name) : this.hidden.add(one.name);
        this.draw();
      });
      return element("li", {}, button);
    }));
  }

  tell(spot) {
    this.spots.forEach(other => other.mark.classList.toggle("here", other === spot));
    this.at = this.spots.indexOf(spot);
    this.readout.textContent = spot.text;
  }

  hover(event) {
    const box = this.svg.getBoundingClientRect(), zoom = this.svg.viewBox.baseVal.width / box.width;
    const [x, y] = [(event.clientX - box.left) * zoom, (event.clientY - box.top) * zoom];
    const near = this.spots.map(spot => [Math.hypot(spot.px - x, spot.py - y), spot]).sort((a, b) => a[0] - b[0])[0];
    if (near && near[0] < 24) this.tell(near[1]);
  }

  key(event) {
    const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
    if (!step || !this.spots.length) return;
    event.preventDefault();
    const count = this.spots.length;
    this.tell(this.spots[((this.at ?? -step) + step + count) % count]);
  }
}

// ---- software

const unpack = ({columns, rows}) => rows.map(row => Object.fromEntries(columns.map((name, k) =>
  [name, name in data.words && typeof row[k] === "number" ? data.words[name][row[k]] : row[k]])));
const times = unpack(data.times), limits = unpack(data.limits), points = unpack(data.points);
const fastest = rows => rows.reduce((best, row) => !best || row.nanoseconds < best.nanoseconds ? row : best, null);
const DEFAULT_OPERATION = data.operations[0];
const cpus = () => distinct(times.map(row => row.cpu));
// The CPU that wrote the page if its times are recorded, else the first one.
const preferredCpu = () => {
  const timed = cpus().filter(cpu => times.some(row => row.cpu === cpu && row.operation === DEFAULT_OPERATION));
  return timed.find(cpu => cpu === data.here) ?? timed[0];
};
const cpuWords = cpu => cpu === data.here ? `${cpu} (which wrote this page)` : cpu;

function software() {
  const box = byId("software-controls"), chart = new Chart(byId("software-chart"));
  offer(control(box, "cpu"), cpus(), preferredCpu(), cpuWords);
  const update = () => {
    const own = times.filter(row => row.cpu === chosen(box, "cpu"));
    offer(control(box, "operation"), data.operations.filter(name => own.some(row => row.operation === name)));
    const operation = chosen(box, "operation");
    let rows = own.filter(row => row.operation === operation);
    const name = row => chosen(box, "detail") === "all" ? `${row.library}: ${row.engine}` : row.library;
    const names = distinct(rows.map(name)).sort((a, b) => !a.startsWith("monpro") - !b.startsWith("monpro") || a.localeCompare(b));
    const sizes = distinct(rows.map(row => row.bits)).sort((a, b) => a - b);
    rows = names.flatMap(one => sizes.map(bits => fastest(rows.filter(row => name(row) === one && row.bits === bits))).filter(Boolean));
    const series = names.map((one, number) => ({
      name: one, number, line: true,
      points: rows.filter(row => name(row) === one).map(row => ({
        x: row.bits, y: row.nanoseconds / 1e3,
        text: `${row.library}, ${row.engine}, ${row.bits} bits: ${time(row.nanoseconds)}`,
      })),
    }));
    const cycle = rows.find(row => row.cycles);
    const own_limits = limits.filter(limit => limit.cpu === chosen(box, "cpu") && limit.operation === operation);
    distinct(own_limits.map(limit => limit.name)).forEach((one, k) => cycle && series.push({
      name: `limit of ${one}`, number: names.length + k, line: true, limit: true,
      points: own_limits.filter(limit => limit.name === one).sort((a, b) => a.bits - b.bits).map(limit => ({
        x: limit.bits, y: limit.cycles * cycle.nanoseconds / cycle.cycles / 1e3, text: "",
      })),
    }));
    chart.show({
      title: `${operation}, on one core of ${chosen(box, "cpu")}`, series,
      x: {log: true, title: "bits of the modulus", ticks: [163, 256, 512, 1024, 2048, 4096, 8192]},
      y: {log: true, title: "time in µs"},
    });
    const best = new Map(sizes.map(bits => [bits, fastest(rows.filter(row => row.bits === bits))]));
    showTable(byId("software-table"), `${operation}, on one core of ${chosen(box, "cpu")}; the fastest of each size is marked.`, [
      {key: "engine", title: "engine"}, {key: "library", title: "library"}, {key: "bits", title: "bits", number: true},
      {key: "nanoseconds", title: "time", number: true, show: time},
      {key: "cycles", title: "cycles", number: true, show: value => Math.round(value).toLocaleString("en")},
      {key: "ratio", title: "ratio to the fastest", number: true, show: digits},
      {key: "date", title: "recorded"}, {key: "commit", title: "commit"}, {key: "file", title: "file"},
    ], rows.map(row => ({...row, ratio: row.nanoseconds / best.get(row.bits).nanoseconds, best: best.get(row.bits) === row})));
  };
  box.addEventListener("change", update);
  update();
}

function limit() {
  const box = byId("limit-controls"), chart = new Chart(byId("limit-chart"));
  offer(control(box, "cpu"), distinct(data.distances.map(row => row.cpu)), preferredCpu(), cpuWords);
  const update = () => {
    const rows = data.distances.filter(row => row.cpu === chosen(box, "cpu"));
    chart.show({
      title: `Cycles of an exponentiation as a multiple of the limit, on ${chosen(box, "cpu")}`,
      series: distinct(rows.map(row => row.name)).map((name, number) => ({
        name, number, line: true,
        points: rows.filter(row => row.name === name).map(row => ({
          x: row.bits, y: row.multiple, text: `${name}, ${row.bits} bits: ${digits(row.multiple)} times the limit`,
        })),
      })),
      x: {log: true, title: "bits of the modulus", ticks: [256, 512, 1024, 2048, 4096, 8192]},
      y: {log: false, title: "cycles ÷ limit"},
    });
    showTable(byId("limit-table"), `One exponentiation, on one core of ${chosen(box, "cpu")}`, [
      {key: "name", title: "way"}, {key: "bits", title: "bits", number: true},
      {key: "cycles", title: "cycles", number: true, show: value => Math.round(value).toLocaleString("en")},
      {key: "limit", title: "limit", number: true, show: value => Math.round(value).toLocaleString("en")},
      {key: "multiple", title: "times the limit", number: true, show: digits},
    ], rows);
  };
  box.addEventListener("change", update);
  update();
}

// What is known of the CPU that wrote the page where no times of it are recorded.
function unrecorded(operation, bits) {
  const code = text => element("code", {}, text);
  const told = element("p", {}, `Of ${data.here}, the CPU that wrote this page, no such times are recorded. `);
  if (data.chosen[bits] && data.single.includes(operation)) {
    told.append(`For ${bits} bits monpro takes `, code(data.chosen[bits]), " there. ");
    const quick = fastest(times.filter(row => row.cpu === data.here && row.operation === data.quick && String(row.bits) === bits));
    if (quick) told.append("Of the products timed there while the page was written, the fastest is that of ", code(quick.engine), `: ${time(quick.nanoseconds)}. `);
  }
  told.append("Below are the times of the CPU that you choose.");
  return told;
}

function askSoftware() {
  const box = byId("ask-software"), answer = box.querySelector(".answer");
  offer(control(box, "operation"), data.operations);
  const update = () => {
    const rows = times.filter(row => row.operation === chosen(box, "operation"));
    offer(control(box, "cpu"), distinct(rows.map(row => row.cpu)), preferredCpu(), cpuWords);
    const own = rows.filter(row => row.cpu === chosen(box, "cpu"));
    offer(control(box, "bits"), distinct(own.map(row => row.bits)).sort((a, b) => a - b), 2048);
    const sized = own.filter(row => String(row.bits) === chosen(box, "bits"));
    const ours = fastest(sized.filter(row => row.library === "monpro"));
    const other = fastest(sized.filter(row => row.library !== "monpro"));
    answer.replaceChildren();
    if (!ours) return answer.append("Nothing is recorded for this choice.");
    const code = text => element("code", {}, text);
    if (!rows.some(row => row.cpu === data.here)) answer.append(unrecorded(chosen(box, "operation"), chosen(box, "bits")));
    const need = row => data.needs[row.engine] ?? "";
    const facts = element("ul");
    answer.append(element("p", {class: "lead"}, "Use ", code(ours.engine), `: ${time(ours.nanoseconds)}`), facts);
    if (other) {
      const ratio = other.nanoseconds / ours.nanoseconds;
      facts.append(element("li", {}, ratio >= 1
        ? `That is ${digits(ratio)} times as fast as ${other.library}, the fastest other library here (${time(other.nanoseconds)}).`
        : `${other.library} is faster here: ${time(other.nanoseconds)}.`));
    }
    if (need(ours)) facts.append(element("li", {}, `It needs ${need(ours)}.`));
    const ways = distinct(sized.filter(row => row.library === "monpro").map(need))
      .map(one => fastest(sized.filter(row => row.library === "monpro" && need(row) === one)))
      .sort((a, b) => a.nanoseconds - b.nanoseconds);
    const useful = ways.filter((row, k) => !ways.slice(0, k).some(faster => need(row).startsWith(need(faster))));
    useful.filter(row => row !== ours).forEach(row => facts.append(element("li", {},
      need(row) ? `On a CPU that has only ${need(row)}, use ` : "On any other CPU, use ", code(row.engine), `: ${time(row.nanoseconds)}, timed on the same CPU.`)));
    answer.append(element("p", {class: "muted"}, "You need not choose: monpro takes the kernel that was fastest on CPUs like yours, and goes by the instructions on others. ",
      code("monpro kernels"), " shows which run on yours, ", code(`monpro bench --bits ${chosen(box, "bits")}`), " times them."));
  };
  box.addEventListener("change", update);
  update();
}

// ---- hardware

const timeOf = point => point.clocks && point.clock_mhz ? point.clocks / point.clock_mhz : null;
points.forEach(point => { point.time = timeOf(point); point.product = point.time && point.time * point.area; });

function paretoFront(rows) {
  const sorted = [...rows].sort((a, b) => a.area - b.area || a.time - b.time);
  let best = Infinity;
  return sorted.filter(row => row.time < best && ((best = row.time), true));
}

const allowed = (point, constant, kind, source = "", plain = false) =>
  (!constant || point.constant_time) && (!plain || !point.multipliers) && (!kind || point.kind === kind) && (!source || point.source === source);
const spread = {key: "spread", title: "over seeds, MHz"};
const constancy = {key: "constancy", title: "constant time"};
points.forEach(point => {
  point.spread = !point.seeds ? "" : point.seeds === 1 ? "one seed"
    : `${digits(point.clock_least_mhz)} to ${digits(point.clock_greatest_mhz)}, ${point.seeds} seeds`;
  point.constancy = point.constant_time === null ? "not checked" : point.constant_time ? "yes" : "no";
});
const targetWords = name => data.targets[name] ?? name;

// A row for a name: lookup tables and the clock on the ECP5, area and time in standard cells.
function twoAreas(rows) {
  const at = (name, target) => rows.find(point => point.name === name && point.target === target) ?? {};
  const names = distinct(rows.filter(point => ["ecp5", "osu018"].includes(point.target)).map(point => point.name));
  return names.map(name => {
    const fpga = at(name, "ecp5"), chip = at(name, "osu018"), any = fpga.name ? fpga : chip;
    return {...fpga, name, source: any.source, kind: any.kind, clocks: any.clocks, constancy: any.constancy,
      blocks: fpga.name ? `${fpga.multipliers}, ${fpga.brams ?? "?"}` : "",
      lut_s: fpga.product ? fpga.product * 1e-6 : null, chip: chip.area, chip_product: chip.product};
  }).sort((a, b) => (a.lut_s ?? Infinity) - (b.lut_s ?? Infinity) || (a.chip_product ?? Infinity) - (b.chip_product ?? Infinity));
}

function hardware() {
  const box = byId("hardware-controls"), both = byId("hardware-both"), chart = new Chart(byId("hardware-chart"));
  const placed = distinct(points.map(point => point.target));
  offer(control(box, "target"), placed, "ecp5", targetWords);
  const update = () => {
    const here = points.filter(point => point.target === chosen(box, "target"));
    offer(control(box, "bits"), distinct(here.map(point => point.bits)).sort((a, b) => a - b), 1024);
    const shown = here.filter(point => String(point.bits) === chosen(box, "bits")
      && allowed(point, chosen(box, "constant"), chosen(box, "kind"), chosen(box, "source"), chosen(box, "plain")));
    const timed = shown.filter(point => point.time), front = paretoFront(timed);
    const group = point => point.source === "peer" ? "other designs" : `${point.paper}, ${point.kind}`;
    chart.show({
      title: `Area and time of ${chosen(box, "bits")}-bit designs on ${targetWords(chosen(box, "target"))}`,
      series: distinct(timed.map(group)).sort().map((name, number) => ({
        name, number,
        points: timed.filter(point => group(point) === name).map(point => ({
          x: point.area, y: point.time,
          text: `${point.name}: ${digits(point.area)} ${point.area_unit}, ${digits(point.time)} µs a product`
            + (point.extras ? `, and ${point.extras}` : "") + (front.includes(point) ? "; one of the best" : ""),
        })),
      })),
      front: front.map(point => ({x: point.area, y: point.time})),
      x: {log: true, title: `area in ${shown[0]?.area_unit ?? "LUTs"}`}, y: {log: true, title: "time of one product in µs"},
      empty: shown.length ? "no clock is known here: see the table" : "nothing is recorded for this choice",
    });
    showTable(byId("hardware-table"), `${chosen(box, "bits")}-bit designs on ${targetWords(chosen(box, "target"))}; the best are marked. ${shown.length} designs.`, [
      {key: "name", title: "design"}, {key: "kind", title: "kind", show: (value, row) => row.paper ? `${value}, ${row.paper}` : value},
      {key: "area", title: "area", number: true, show: (value, row) => `${digits(value)} ${row.area_unit}`},
      {key: "clock_mhz", title: "clock, MHz", number: true, show: digits},
      spread,
      {key: "clocks", title: "clocks a product", number: true, show: digits},
      {key: "time", title: "time, µs", number: true, show: digits},
      {key: "product", title: "area × time", number: true, show: digits},
      constancy,
      {key: "about", title: "more", prose: true},
    ], [...shown].sort((a, b) => (a.product ?? Infinity) - (b.product ?? Infinity) || a.area - b.area)
      .map(point => ({...point, best: front.includes(point), about: [point.extras, point.note, point.tools, `commit ${point.commit}`].filter(Boolean).join("; ")})));
    showTable(both, `${chosen(box, "bits")}-bit designs by both measures of area`, [
      {key: "name", title: "design"}, {key: "kind", title: "kind", show: (value, row) => row.source === "peer" ? `${value}, other` : value},
      {key: "area", title: "LUTs, ECP5", number: true, show: digits}, {key: "blocks", title: "DSP, RAM"},
      {key: "clock_mhz", title: "clock, MHz", number: true, show: digits}, spread,
      {key: "clocks", title: "clocks", number: true, show: digits}, {key: "lut_s", title: "LUT·s", number: true, show: digits},
      {key: "chip", title: "mm²", number: true, show: digits}, {key: "chip_product", title: "mm²·µs", number: true, show: digits}, constancy,
    ], twoAreas(points.filter(point => String(point.bits) === chosen(box, "bits")
      && allowed(point, chosen(box, "constant"), chosen(box, "kind"), chosen(box, "source"), chosen(box, "plain")))));
  };
  box.addEventListener("change", update);
  update();
}

function askHardware() {
  const box = byId("ask-hardware"), answer = box.querySelector(".answer");
  offer(control(box, "target"), distinct(points.map(point => point.target)), "ecp5", targetWords);
  const update = () => {
    const here = points.filter(point => point.target === chosen(box, "target") && point.source === "monpro");
    offer(control(box, "bits"), distinct(here.map(point => point.bits)).sort((a, b) => a - b), 1024);
    const key = {area: point => point.area, time: point => point.time, both: point => point.product}[chosen(box, "wish")];
    const fit = here.filter(point => String(point.bits) === chosen(box, "bits") && allowed(point, chosen(box, "constant"), chosen(box, "kind")) && key(point))
      .sort((a, b) => key(a) - key(b));
    const best = fit[0], plain = fit.find(point => !point.multipliers);
    answer.replaceChildren();
    if (!best) return answer.append("Nothing is recorded for this choice. ", element("code", {}, "monpro synth"), " measures any core at any size.");
    const facts = element("ul", {}, element("li", {}, `Its method: ${best.what}.`),
      element("li", {}, best.constant_time ? "It takes the same time for all operands." : "Its time depends on the operands, or on the length of the exponent."));
    const size = point => `: ${digits(point.area)} ${point.area_unit}${point.time ? `, ${digits(point.time)} µs a product` : ""}`;
    if (best.extras) facts.append(element("li", {}, `Its blocks and memories: ${best.extras}.`));
    if (best !== plain) facts.append(element("li", {}, ...(plain
      ? ["Without hard multipliers, use ", element("code", {}, plain.name), `${size(plain)}.`] : ["Every core here has hard multipliers."])));
    answer.append(element("p", {class: "lead"}, "Use ", element("code", {}, best.name), size(best)), facts, element("p", {class: "muted"},
      element("code", {}, `monpro emit ${data.architectures[best.name]} --bits ${best.bits} -o core`), " writes it to a folder. ",
      best.time ? "" : "Its clock on this target is not recorded; ", best.time ? "" : element("code", {}, `monpro synth ${data.architectures[best.name]} --bits ${best.bits} --target ${best.target}`), best.time ? "" : " finds it."));
  };
  box.addEventListener("change", update);
  update();
}

// ---- the grid of items

function grid() {
  const box = byId("grid-controls"), rows = [...byId("grid").tBodies[0].rows];
  const update = () => {
    const text = chosen(box, "text").toLowerCase();
    for (const row of rows)
      row.hidden = !["paper", "kind", "mark"].every(name => !chosen(box, name) || row.dataset[name] === chosen(box, name))
        || !row.textContent.toLowerCase().includes(text);
    byId("grid-count").textContent = `${rows.filter(row => !row.hidden).length} of ${rows.length} items`;
  };
  box.addEventListener("input", update);
  update();
}

// Each item: a field that filters its rows if there are many, and buttons that save it.
function itemControls(part) {
  const table = part.querySelector("table"), drawing = part.querySelector("figure svg");
  const bar = element("div", {class: "controls downloads"});
  const button = (text, act) => {
    bar.append(element("button", {type: "button"}, text));
    bar.lastChild.addEventListener("click", act);
  };
  if (table) {
    const rows = [...table.tBodies[0].rows];
    if (rows.length > MANY_ROWS) {
      const field = element("input", {type: "search"});
      field.addEventListener("input", () => {
        for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(field.value.toLowerCase());
      });
      bar.append(element("label", {}, `find in ${rows.length} rows`, field));
    }
    button("CSV", () => saveTable(table, "csv"));
    button("JSON", () => saveTable(table, "json"));
  }
  if (drawing) button("SVG", () => save(`${part.id}.svg`, "image/svg+xml", new XMLSerializer().serializeToString(drawing)));
  if (bar.childNodes.length) part.querySelector(".body").prepend(bar);
}

function openTarget() {
  const target = location.hash.length > 1 && byId(decodeURIComponent(location.hash.slice(1)));
  for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
  if (target) target.scrollIntoView();
}

// ---- step by step

function player() {
  const box = byId("player"), slider = box.querySelector("input[type=range]");
  const part = name => box.querySelector(`.${name}`);
  let trace, at = 0;
  const show = () => {
    const memory = {...trace.start};
    for (const [, , writes] of trace.steps.slice(0, at)) Object.assign(memory, writes);
    const [text, reads, writes, phase] = at ? trace.steps[at - 1] : ["before the first statement", [], {}, ""];
    slider.value = at;
    part("place").textContent = `${at} of ${trace.steps.length}`;
    part("statement").textContent = at && phase ? `${text}    (${phase})` : text;
    const alarm = trace.alarms[at - 1];
    part("alarm").hidden = !alarm;
    part("alarm").textContent = alarm ?? "";
    part("outcome").hidden = at < trace.steps.length;
    part("cells").replaceChildren(...trace.rows.flatMap(([name, cells]) => {
      const line = element("div", {}, ...cells.map(cell => {
        const kind = cell in writes ? " written" : reads.includes(cell) ? " read" : "";
        return element("span", {class: `cell${kind}`}, element("small", {}, cell), memory[cell] ?? "");
      }));
      return [element("span", {class: "muted"}, name), line];
    }));
  };
  const move = place => { at = Math.max(0, Math.min(trace.steps.length, place)); show(); };
  const alarms = () => Object.keys(trace.alarms).map(Number);
  const load = id => {
    trace = data.traces.find(one => one.id === id);
    control(box, "trace").value = id;
    slider.max = trace.steps.length;
    part("about").textContent = trace.about;
    part("outcome").textContent = trace.outcome;
    box.querySelector('[data-go="alarm"]').hidden = !alarms().length;
    move(0);
  };
  const go = {first: () => move(0), back: () => move(at - 1), next: () => move(at + 1), alarm: () => move(alarms()[0] + 1)};
  box.addEventListener("click", event => go[event.target.dataset?.go]?.());
  slider.addEventListener("input", () => move(Number(slider.value)));
  control(box, "trace").addEventListener("change", event => load(event.target.value));
  box.addEventListener("keydown", event => {
    if (event.target.tagName === "SELECT" || event.target === slider) return;
    const step = {ArrowRight: go.next, ArrowLeft: go.back, Home: go.first}[event.key];
    if (step) { event.preventDefault(); step(); }
  });
  document.querySelectorAll("[data-trace]").forEach(link => link.addEventListener("click", () => load(link.dataset.trace)));
  load(data.traces[0].id);
}

// ---- begin

document.querySelectorAll("main > section table").forEach(sortable);
document.addEventListener("click", event => {
  const kind = event.target.dataset?.save;
  if (kind === "rows") save("monpro-rows.csv", "text/csv", allRows());
  else if (kind) saveTable(byId(event.target.dataset.table).closest("table") ?? byId(event.target.dataset.table).querySelector("table"), kind);
});
document.querySelectorAll("#items details").forEach(itemControls);
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach(part => { part.open = true; }));
grid();
software();
hardware();
limit();
askSoftware();
askHardware();
player();
addEventListener("hashchange", openTarget);
openTarget();
