"use strict";
/* The rule form: rows that move, phrases that switch, and what the engine reads them as. Without it, plain fields. */
(() => {
  const desk = document.querySelector(".rule-desk");
  const form = document.getElementById("rule_form");
  if (!desk || !form) return;
  desk.classList.add("is-alive");
  const changed = (element) => element.dispatchEvent(new Event("input", { bubbles: true }));

  /* --- rows: add, remove, order --- */

  const tools = { up: "[data-up]", down: "[data-down]", remove: "[data-remove]" };
  const shown = (list) => [...list.children].filter((row) => !row.hidden);

  function renumber(list) {
    const rows = shown(list);
    rows.forEach((row, index) => {
      const order = row.querySelector("[data-order]");
      if (order) order.value = index + 1;
      row.querySelector(tools.up).disabled = index === 0;
      row.querySelector(tools.down).disabled = index === rows.length - 1;
    });
  }

  function move(list, row, other, before) {
    const focus = document.activeElement;
    list.insertBefore(row, before ? other : other.nextSibling);
    renumber(list);
    if (row.contains(focus)) (focus.disabled ? row.querySelector(`${tools.up}:enabled, ${tools.down}:enabled`) : focus)?.focus();
    changed(row);
  }

  function remove(list, row) {
    const rows = shown(list);
    const next = rows[rows.indexOf(row) + 1] || rows[rows.indexOf(row) - 1];
    row.querySelector("[data-delete]").checked = true;
    row.hidden = true;
    renumber(list);
    changed(row);
    (next?.querySelector("input:not([type=hidden])") || list.parentElement.querySelector("[data-add]")).focus();
  }

  function add(holder, list) {
    const total = holder.querySelector("[name$=-TOTAL_FORMS]");
    const most = Number(holder.querySelector("[name$=-MAX_NUM_FORMS]").value);
    const number = Number(total.value);
    if (number >= most) return null;
    const fresh = holder.querySelector("template").content.cloneNode(true);
    for (const element of fresh.querySelectorAll("*")) {
      for (const attribute of [...element.attributes]) {
        if (attribute.value.includes("__prefix__")) attribute.value = attribute.value.replaceAll("__prefix__", String(number));
      }
    }
    const row = fresh.firstElementChild;
    total.value = number + 1;
    list.append(row);
    enliven(list, row);
    renumber(list);
    row.querySelector("input:not([type=hidden])").focus();
    return row;
  }

  function enliven(list, row) {
    for (const tool of row.querySelectorAll(".rule-row-tools [hidden]")) tool.hidden = false;
    row.querySelector(tools.up).addEventListener("click", () => row.previousElementSibling && stepOver(list, row, -1));
    row.querySelector(tools.down).addEventListener("click", () => stepOver(list, row, 1));
    row.querySelector(tools.remove).addEventListener("click", () => remove(list, row));
    const handle = row.querySelector("[data-handle]");
    handle.addEventListener("pointerdown", () => (row.draggable = true));
    row.addEventListener("dragend", () => {
      row.draggable = false;
      row.classList.remove("is-dragged");
    });
    row.addEventListener("dragstart", (event) => {
      if (!row.draggable) return;
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", "");
      row.classList.add("is-dragged");
    });
    if (window.ruleFormPick) window.ruleFormPick(row);
  }

  function stepOver(list, row, step) {
    const rows = shown(list);
    const other = rows[rows.indexOf(row) + step];
    if (other) move(list, row, other, step < 0);
  }

  for (const holder of form.querySelectorAll("[data-rows]")) {
    const list = holder.querySelector(".rule-row-list");
    const button = holder.querySelector("[data-add]");
    for (const row of list.children) enliven(list, row);
    /* The empty row at the end is for those without scripts; one is left where there is nothing yet. */
    const last = list.lastElementChild;
    const isEmpty = last && [...last.querySelectorAll("input[type=text]")].every((input) => !input.value);
    if (isEmpty && list.children.length > 1 && !last.querySelector(".is-wrong")) last.hidden = true;
    for (const row of list.children) if (row.querySelector("[data-delete]").checked) row.hidden = true;
    renumber(list);
    button.hidden = false;
    button.addEventListener("click", () => add(holder, list));
    list.addEventListener("dragover", (event) => {
      const row = list.querySelector(".is-dragged");
      const over = event.target.closest("[data-row]");
      if (!row) return;
      event.preventDefault();
      if (!over || over === row || over.parentElement !== list) return;
      const middle = over.getBoundingClientRect().top + over.offsetHeight / 2;
      move(list, row, over, event.clientY < middle);
    });
    list.addEventListener("drop", (event) => event.preventDefault());
  }

  /* --- phrases: "similar questions too", one line each --- */

  const phrases = form.querySelector("[name=phrases]");
  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-phrase]");
    if (!button) return;
    const lines = phrases.value.split("\n");
    const filled = lines.flatMap((line, index) => (line.replace(/^[=\s]+/, "").trim() ? [index] : []));
    const index = filled[Number(button.dataset.phrase)];
    if (index === undefined) return;
    const bare = lines[index].trim();
    lines[index] = bare.startsWith("=") ? bare.replace(/^[=\s]+/, "") : `= ${bare}`;
    phrases.value = lines.join("\n");
    changed(phrases);
  });

  const grow = (area) => {
    if (CSS.supports("field-sizing", "content")) return;
    area.rows = Math.max(2, area.value.split("\n").length + 1);
  };
  form.addEventListener("input", (event) => event.target.tagName === "TEXTAREA" && grow(event.target));
  form.querySelectorAll("textarea").forEach(grow);

  /* --- what the engine reads: asked for while typing, told below the fields --- */

  form.querySelectorAll("[data-phrase]").forEach((button) => (button.hidden = false));
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const { target, fragment } = event.detail;
    for (const open of target.querySelectorAll("details[data-keep-open][open]")) {
      fragment.querySelector(`[data-keep-open="${open.dataset.keepOpen}"]`)?.setAttribute("open", "");
    }
    const focused = target.contains(document.activeElement) ? document.activeElement.dataset.phrase : undefined;
    if (focused !== undefined) {
      requestAnimationFrame(() => form.querySelector(`[data-phrase="${focused}"]`)?.focus());
    }
  });

  let timer = 0;
  const ask = () => {
    clearTimeout(timer);
    timer = setTimeout(() => htmx.trigger("#rule-reading", "read"), 350);
  };
  form.addEventListener("input", ask);

  /* --- after a refusal: to the first thing to mend --- */

  const wrong = desk.querySelector("[data-first-error]");
  if (wrong) {
    for (const field of form.querySelectorAll(".rule-errors")) {
      for (let fold = field.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    }
    (form.querySelector("[aria-invalid=true]") || wrong).focus();
  }
})();
