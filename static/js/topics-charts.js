// Draws the charts of the topics' dashboards from the JSON beside them. The tables stand without it.
(() => {
  "use strict";
  const draw = () => {
    if (!window.Plotly) return;
    const ink = getComputedStyle(document.body).color;
    for (const place of document.querySelectorAll("[data-figure]")) {
      const source = document.getElementById(place.dataset.figure);
      if (!source) continue;
      const figure = JSON.parse(source.textContent);
      const layout = { ...figure.layout, font: { color: ink, size: 12 } };
      window.Plotly.newPlot(place, figure.data, layout, {
        responsive: true,
        displaylogo: false,
        locale: document.documentElement.lang,
        modeBarButtonsToRemove: ["lasso2d", "select2d", "toImage"],
      });
    }
  };
  if (document.readyState === "complete") draw();
  else window.addEventListener("load", draw);
})();
