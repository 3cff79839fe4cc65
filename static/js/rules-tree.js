/* The rule tree: opening levels, moving by drag or arrow keys, and where the focus goes afterwards. */
(() => {
  "use strict";

  const page = document.querySelector(".rules-page");
  if (!page || !window.htmx) return;
  page.classList.add("is-scripted");

  const STEPS = { ArrowUp: "up", ArrowDown: "down", ArrowRight: "in", ArrowLeft: "out" };
  let isBusy = false;
  let dragged = null;
  let focused = null;

  const ruleOf = (element) => element.closest("li.rule");
  const listOf = (toggle) => document.getElementById(toggle.getAttribute("aria-controls"));
  const said = () => document.getElementById("tree-said");

  // --- opening and closing ---

  function toggleLevel(toggle) {
    const list = listOf(toggle);
    const opens = toggle.getAttribute("aria-expanded") !== "true";
    toggle.setAttribute("aria-expanded", String(opens));
    if (list.hasAttribute("data-is-loaded")) list.hidden = !opens;
    else if (opens) window.htmx.trigger(toggle, "open");
  }

  function openUids() {
    const toggles = page.querySelectorAll('.rule-toggle[aria-expanded="true"]');
    return Array.from(toggles, (toggle) => ruleOf(toggle).dataset.uid);
  }

  page.addEventListener("click", (event) => {
    const toggle = event.target.closest(".rule-toggle");
    if (toggle && !event.metaKey && !event.ctrlKey) {
      event.preventDefault();
      toggleLevel(toggle);
    }
    const menu = event.target.closest(".rule-menu");
    page.querySelectorAll(".rule-menu[open]").forEach((other) => {
      if (other !== menu) other.open = false;
    });
  });

  // --- moving ---

  function arrange(values) {
    const form = document.getElementById("tree-form");
    if (isBusy || !form) return;
    window.htmx.ajax("POST", form.action, { source: form, target: "#rules-tree", swap: "outerHTML", values });
  }

  page.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === " " && event.target.matches(".rule-toggle")) {
      event.preventDefault();
      toggleLevel(event.target);
    }
    if (event.key === "Escape") {
      const menu = event.target.closest(".rule-menu[open]");
      if (menu) {
        menu.open = false;
        menu.querySelector("summary").focus();
      }
    }
    if (event.target.matches(".rule-handle") && STEPS[event.key]) {
      event.preventDefault();
      arrange({ do: `${STEPS[event.key]}:${ruleOf(event.target).dataset.uid}` });
    }
  });

  page.addEventListener(
    "submit",
    (event) => {
      // A button that leads to another page, the export, is for the browser alone: stop before htmx hears of it.
      if (event.submitter && event.submitter.hasAttribute("formaction")) event.stopPropagation();
      else if (isBusy && event.target.id === "tree-form") {
        event.preventDefault();
        event.stopPropagation();
      }
    },
    true,
  );

  function clearMarks() {
    page.querySelectorAll(".is-before, .is-after, .is-into").forEach((line) => {
      line.classList.remove("is-before", "is-after", "is-into");
    });
  }

  // The upper and the lower quarter of a line mean beside it, the middle means below it.
  function placeOn(line, event) {
    const box = line.getBoundingClientRect();
    const share = (event.clientY - box.top) / box.height;
    return share < 0.25 ? "before" : share > 0.75 ? "after" : "into";
  }

  function lineUnder(event) {
    const line = event.target.closest(".rule-line:not(.rules-head)");
    return dragged && line && ruleOf(line) !== dragged ? line : null;
  }

  page.addEventListener("dragstart", (event) => {
    const handle = event.target.closest(".rule-handle");
    if (!handle) return;
    dragged = ruleOf(handle);
    focused = handle.id;
    dragged.classList.add("is-dragged");
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", dragged.dataset.uid);
    event.dataTransfer.setDragImage(dragged.querySelector(".rule-line"), 12, 12);
  });

  page.addEventListener("dragover", (event) => {
    clearMarks();
    const line = lineUnder(event);
    if (!line) return;
    event.preventDefault();
    line.classList.add(`is-${placeOn(line, event)}`);
  });

  page.addEventListener("drop", (event) => {
    const line = lineUnder(event);
    if (!line) return;
    event.preventDefault();
    arrange({
      do: `drop:${dragged.dataset.uid}`,
      place: placeOn(line, event),
      target: ruleOf(line).dataset.uid,
    });
  });

  page.addEventListener("dragend", () => {
    clearMarks();
    if (dragged) dragged.classList.remove("is-dragged");
    dragged = null;
  });

  // --- around each request ---

  page.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.verb === "post") event.detail.parameters.open = openUids();
  });

  page.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.requestConfig.verb !== "post") return;
    isBusy = true;
    if (!dragged && page.contains(document.activeElement)) focused = document.activeElement.id;
  });

  page.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.requestConfig.verb === "post") isBusy = false;
  });

  // The list is new: go back to the control that was pressed, or to another one of its rule.
  document.body.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.requestConfig.verb !== "post" || !focused) return;
    const number = focused.split("-").pop();
    const names = [focused, ...["resume", "pause", "handle", "toggle"].map((name) => `${name}-${number}`)];
    const control = names.map((name) => document.getElementById(name)).find(Boolean);
    focused = null;
    if (!control) return;
    const menu = control.closest(".rule-menu");
    if (menu && control.tagName !== "SUMMARY") menu.open = true;
    control.focus();
  });

  function failed() {
    isBusy = false;
    const line = document.createElement("p");
    line.className = "rules-said is-refused";
    line.textContent = said().dataset.failed;
    said().replaceChildren(line);
  }

  page.addEventListener("htmx:responseError", failed);
  page.addEventListener("htmx:sendError", failed);
})();
