// Draws the charts of the topics' dashboards from the JSON beside them. The tables stand without it.
(() => {
  "use strict";
  const language = document.documentElement.lang || "en";
  // A name of its own: what it leaves out comes from plotly's "en", which must stay whole.
  const locale = `${language}-desk`;

  // Plotly knows English only; the browser knows the names of days and months in every language.
  const named = (count, style, start) =>
    Array.from({ length: count }, (_, place) =>
      new Intl.DateTimeFormat(language, { ...style, timeZone: "UTC" }).format(start(place)));
  const learn = () => {
    const month = (place) => Date.UTC(2026, place, 15);
    const day = (place) => Date.UTC(2026, 1, 1 + place);
    const parts = new Intl.NumberFormat(language).formatToParts(12345.6);
    const part = (type, otherwise) => (parts.find((each) => each.type === type) || { value: otherwise }).value;
    const isGerman = language.startsWith("de");
    window.Plotly.register({
      moduleType: "locale",
      name: locale,
      dictionary: isGerman ? GERMAN : {},
      format: {
        days: named(7, { weekday: "long" }, day),
        shortDays: named(7, { weekday: "short" }, day),
        months: named(12, { month: "long" }, month),
        shortMonths: named(12, { month: "short" }, month),
        date: isGerman ? "%d.%m.%Y" : "%m/%d/%Y",
        year: "%Y",
        month: "%b %Y",
        dayMonth: isGerman ? "%-d. %b" : "%b %-d",
        dayMonthYear: isGerman ? "%-d. %b %Y" : "%b %-d, %Y",
        decimal: part("decimal", "."),
        thousands: part("group", ","),
      },
    });
  };
  const GERMAN = {
    Autoscale: "Alles zeigen",
    "Reset axes": "Zurücksetzen",
    "Reset view": "Zurücksetzen",
    Zoom: "Vergrößern",
    "Zoom in": "Näher",
    "Zoom out": "Weiter weg",
    Pan: "Verschieben",
    "Double-click to zoom back out": "Doppelklick zeigt wieder alles",
  };

  // Of names that would lie over each other the larger topic's stays; whoever zooms in sees the others.
  const thin = (place) => {
    const kept = [];
    for (const name of place.querySelectorAll(".textpoint text")) {
      name.style.visibility = "";
      const box = name.getBoundingClientRect();
      const covers = kept.some((other) =>
        box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top);
      if (covers) name.style.visibility = "hidden";
      else kept.push(box);
    }
  };

  // Names of rows and columns get the room they need, none of them cut. In a narrow window long names of rows are
  // shortened (the table has them whole), so that the rows keep their room, and names of columns stand upright.
  const NARROW = 600;
  const LONGEST = 16;
  const fitted = (figure, width) => {
    const layout = { ...figure.layout };
    const isHeatmap = figure.data.some((each) => each.type === "heatmap");
    if (!isHeatmap && !figure.data.some((each) => each.orientation === "h")) return layout;
    layout.margin = { ...layout.margin, l: 8 };
    layout.yaxis = { ...layout.yaxis, automargin: true };
    if (isHeatmap) layout.xaxis = { ...layout.xaxis, automargin: true };
    if (width >= NARROW) return layout;
    const names = [...new Set(figure.data.flatMap((each) => each.y))];
    layout.yaxis.tickvals = names;
    layout.yaxis.ticktext = names.map((name) =>
      name.length > LONGEST ? `${name.slice(0, LONGEST - 1).trimEnd()}…` : name);
    if (isHeatmap) {
      layout.xaxis.tickangle = -90;
      figure.data = figure.data.map((each) => ({ ...each, showscale: false }));
    }
    return layout;
  };

  const draw = () => {
    if (!window.Plotly) return;
    learn();
    const ink = getComputedStyle(document.body).color;
    for (const place of document.querySelectorAll("[data-figure]")) {
      const source = document.getElementById(place.dataset.figure);
      if (!source) continue;
      const figure = JSON.parse(source.textContent);
      const layout = { ...fitted(figure, place.clientWidth), font: { color: ink, size: 12 } };
      window.Plotly.newPlot(place, figure.data, layout, {
        responsive: true,
        displaylogo: false,
        locale,
        modeBarButtonsToRemove: ["lasso2d", "select2d", "toImage"],
      }).then(() => {
        if (!place.querySelector(".textpoint")) return;
        thin(place);
        place.on("plotly_afterplot", () => thin(place));
        place.on("plotly_relayout", () => thin(place));
      });
    }
  };
  if (document.readyState === "complete") draw();
  else window.addEventListener("load", draw);
})();
