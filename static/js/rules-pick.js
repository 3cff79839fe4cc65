"use strict";
/* Fields that name a document, a section, a link or a rule: suggestions while typing, by keyboard and by mouse. */
(() => {
  const form = document.getElementById("rule_form");
  if (!form) return;
  let serial = 0;

  function enliven(input) {
    const row = input.closest("[data-row], [data-pick-scope]");
    const key = input.dataset.pick === "section" ? null : row.querySelector("[data-key]");
    const list = document.createElement("ul");
    list.id = `pick-${++serial}`;
    list.className = "rule-suggestions";
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", input.labels[0]?.textContent.trim() || "");
    list.hidden = true;
    input.after(list);
    for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-expanded", "false"], ["aria-controls", list.id]]) {
      input.setAttribute(name, value);
    }
    let timer = 0;
    let asked = 0;
    let at = -1;

    function close() {
      list.hidden = true;
      at = -1;
      input.setAttribute("aria-expanded", "false");
      input.removeAttribute("aria-activedescendant");
    }

    function mark(index) {
      const options = [...list.querySelectorAll("[role=option]")];
      if (!options.length) return;
      at = (index + options.length) % options.length;
      options.forEach((option, number) => option.setAttribute("aria-selected", String(number === at)));
      input.setAttribute("aria-activedescendant", options[at].id);
      options[at].scrollIntoView({ block: "nearest" });
    }

    function choose(found) {
      input.value = found.title;
      if (key) key.value = found.key;
      close();
      input.dispatchEvent(new Event("input", { bubbles: true }));
      if (key) key.value = found.key;
    }

    function show(results) {
      const line = (text, kind) => Object.assign(document.createElement("span"), { textContent: text, className: kind });
      list.replaceChildren(
        ...results.map((found, index) => {
          const option = document.createElement("li");
          option.id = `${list.id}-${index}`;
          option.setAttribute("role", "option");
          option.setAttribute("aria-selected", "false");
          option.append(line(found.title, "rule-suggestion"), line(found.note, "rule-suggestion-note"));
          option.addEventListener("pointerdown", (event) => {
            event.preventDefault();
            choose(found);
          });
          option.found = found;
          return option;
        }),
      );
      if (!results.length) {
        const none = document.createElement("li");
        none.className = "rule-suggestion-none";
        none.setAttribute("role", "presentation");
        none.textContent = form.dataset.none;
        list.append(none);
      }
      list.hidden = false;
      at = -1;
      input.setAttribute("aria-expanded", "true");
    }

    async function ask() {
      const number = ++asked;
      const of = input.dataset.pick === "section" ? row.querySelector("[data-key]").value : form.dataset.uid || "";
      const query = new URLSearchParams({ kind: input.dataset.pick, q: input.value, of });
      try {
        const answer = await fetch(`${form.dataset.pick}?${query}`, { headers: { Accept: "application/json" } });
        if (!answer.ok || number !== asked || document.activeElement !== input) return;
        show((await answer.json()).results);
      } catch {
        close();
      }
    }

    input.addEventListener("input", (event) => {
      /* Typing means another one: the server looks the title up, or asks. */
      if (event.isTrusted && key) key.value = "";
      if (!event.isTrusted) return;
      clearTimeout(timer);
      timer = setTimeout(ask, 150);
    });
    input.addEventListener("blur", () => {
      asked += 1;
      clearTimeout(timer);
      close();
    });
    input.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        if (list.hidden) ask();
        else mark(at + (event.key === "ArrowDown" ? 1 : -1));
      } else if (event.key === "Enter") {
        const option = list.querySelector("[aria-selected=true]") || (list.hidden ? null : list.querySelector("[role=option]"));
        /* Enter never saves from here: a half-typed title would be the loss of the page. */
        event.preventDefault();
        if (option) choose(option.found);
      } else if (event.key === "Escape" && !list.hidden) {
        event.preventDefault();
        close();
      }
    });
    /* Somebody was faster than this script: what stands there already is asked for as well. */
    if (document.activeElement === input && input.value && !key?.value) ask();
  }

  window.ruleFormPick = (root) => root.querySelectorAll("input[data-pick]:not([role])").forEach(enliven);
  window.ruleFormPick(form);
})();
