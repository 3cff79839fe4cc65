"use strict";
/* "Try a question": asks while somebody types, and says the outcome once to those who listen. */
(() => {
  const panel = document.querySelector("[data-try]");
  if (!panel) return;
  const question = panel.querySelector("[name=try_question]");
  const said = document.getElementById("try-said");
  const asker = document.getElementById("try-asker");
  const trouble = document.getElementById("try-trouble");
  const form = question.form;
  let opened = new Map();
  let timer = 0;
  let last = "";

  function ask(delay) {
    clearTimeout(timer);
    const now = question.value.trim();
    if (!now && !last) return;
    last = now;
    timer = setTimeout(() => htmx.trigger(asker, "try"), delay);
  }

  panel.querySelector("[data-try-button]").addEventListener("click", (event) => {
    event.preventDefault();
    if (!question.value.trim()) question.focus();
    ask(0);
  });
  question.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      ask(0);
    }
  });
  /* The folded line says who asks, once that is somebody else. */
  const line = panel.querySelector(".try-who .rule-line");
  const usual = line.textContent;
  const [audience, ...details] = ["audience", "language", "moment", "choices"].map((name) => panel.querySelector(`[name=try_${name}]`));
  function tellWho() {
    const given = details.map((field) => field.value.trim().replace("T", " ")).filter(Boolean);
    const isUsual = !given.length && audience.selectedIndex === 0;
    line.textContent = isUsual ? usual : [audience.selectedOptions[0].text, ...given].join(", ");
  }
  tellWho();

  panel.addEventListener("input", () => {
    tellWho();
    ask(250);
  });
  form.addEventListener("input", () => ask(350));
  const complain = () => {
    said.textContent = trouble.textContent = panel.dataset.trouble;
    trouble.hidden = false;
  };
  asker.addEventListener("htmx:sendError", complain);
  asker.addEventListener("htmx:responseError", complain);
  /* What was opened stays open when the answer changes. */
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id === "try-result") {
      opened = new Map([...event.detail.target.querySelectorAll("details[data-keep-open]")].map((each) => [each.dataset.keepOpen, each.open]));
    }
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.requestConfig?.elt !== asker) return;
    trouble.hidden = true;
    for (const each of document.querySelectorAll("#try-result details[data-keep-open]")) {
      if (opened.has(each.dataset.keepOpen)) each.open = opened.get(each.dataset.keepOpen);
    }
    const outcome = document.querySelector("#try-result [data-said]")?.textContent.replace(/\s+/g, " ").trim() || "";
    if (said.textContent !== outcome) said.textContent = outcome;
  });
  if (question.value.trim()) ask(0);
})();
