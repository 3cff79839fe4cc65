// For other sites' pages: <script src="https://…/static/js/embed.js" data-topic="…" data-party="…" async></script>
// puts the page into an iframe in its place. Attributes: data-topic, data-party, data-lang, data-scheme (light, dark),
// data-accent, data-paper, data-ink (colours such as #8a3b12), data-title.
"use strict";

(() => {
  const script = document.currentScript;
  if (!script) return;
  const address = new URL("/embed/", script.src);
  for (const name of ["topic", "party", "lang", "scheme", "accent", "paper", "ink"]) {
    if (script.dataset[name]) address.searchParams.set(name, script.dataset[name]);
  }
  const frame = document.createElement("iframe");
  frame.src = address.href;
  frame.title = script.dataset.title || "Wegweiser";
  frame.loading = "lazy";
  frame.referrerPolicy = "no-referrer";
  frame.width = "100%";
  frame.height = "420";
  frame.setAttribute("frameborder", "0");
  script.after(frame);
  addEventListener("message", (event) => {
    if (event.source !== frame.contentWindow || event.origin !== address.origin) return;
    const height = Number(event.data?.wegweiserHeight);
    if (height > 0 && height < 20000) frame.height = String(height);
  });
})();
