// Below an answer: copying it with its sources, the whole address of a shared one. Everything else works without this.
"use strict";

(() => {
  // The answer as plain text: the question, the sentences with their numbers, the sources with their addresses.
  const [opens, closes] = document.documentElement.lang === "en" ? ["“", "”"] : ["„", "“"];
  const textOf = (turn) => {
    const lines = [turn.querySelector(".question").textContent.trim(), ""];
    for (const part of turn.querySelectorAll(".desk p, .sentences .speaker, .sentences .sentence, .notice > p")) {
      const copy = part.cloneNode(true);
      for (const tip of copy.querySelectorAll(".tip")) tip.remove();
      for (const cite of copy.querySelectorAll(".cite")) cite.textContent = ` [${cite.textContent.trim()}]`;
      for (const quote of copy.querySelectorAll("q")) quote.textContent = `${opens}${quote.textContent}${closes}`;
      lines.push(copy.textContent.replace(/\s+/g, " ").trim());
    }
    const sources = [...turn.querySelectorAll(".sources > ol > li")];
    if (sources.length) lines.push("");
    for (const source of sources) {
      const link = source.querySelector("a");
      const facts = source.querySelector(".facts").textContent.replace(/\s+/g, " ").trim();
      lines.push(`[${source.value}] ${link.textContent.trim()}, ${facts}: ${link.href}`);
    }
    return lines.join("\n");
  };

  const prepare = (root) => {
    for (const field of root.querySelectorAll("input[data-path]")) field.value = new URL(field.dataset.path, location.href).href;
  };

  // On paper an address without its host leads nowhere.
  addEventListener("beforeprint", () => {
    for (const link of document.querySelectorAll(".sources a[href]")) link.dataset.whole = link.href;
  });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("button.copy");
    if (!button) {
      if (event.target.matches?.("input[data-path]")) event.target.select();
      return;
    }
    try {
      await navigator.clipboard.writeText(textOf(button.closest(".turn")));
      button.textContent = button.dataset.done;
    } catch {
      button.textContent = button.dataset.failed;
    }
  });

  // Before any answer is shown, so that nothing moves when it is.
  document.documentElement.classList.toggle("can-copy", Boolean(navigator.clipboard));
  document.addEventListener("htmx:load", (event) => prepare(event.target));
  prepare(document);
})();
