// The reader's page: Enter sends, words stay when something fails. Everything works without this file.
"use strict";

(() => {
  const form = document.getElementById("ask");
  if (!form) return;
  const field = document.getElementById("id_question");
  const button = document.getElementById("ask-button");

  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!button.disabled) form.requestSubmit(button);
  });

  // htmx does not see which button was pressed when it stands outside the form.
  document.body.addEventListener("click", (event) => {
    const suggestion = event.target.closest?.('button[name="suggestion"]');
    if (!suggestion) return;
    event.preventDefault();
    if (button.disabled) return;
    field.value = suggestion.value;
    form.requestSubmit(button);
  });

  document.body.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt !== form || !event.detail.successful) return;
    field.value = "";
    field.placeholder = field.dataset.next;
    // On a phone the keyboard would cover the answer.
    if (matchMedia("(pointer: coarse)").matches) field.blur();
    else field.focus({ preventScroll: true });
    document.querySelector("#turns > article:last-of-type")?.scrollIntoView({ block: "start" });
  });

  const say = (name) => {
    const paragraph = document.createElement("p");
    paragraph.className = "problem";
    paragraph.textContent = document.getElementById(name)?.textContent ?? "";
    document.getElementById("form-message").replaceChildren(paragraph);
  };
  for (const name of ["htmx:sendError", "htmx:timeout"]) {
    document.body.addEventListener(name, (event) => {
      if (event.detail.elt === form) say("says-offline");
    });
  }

  // The browser opens a broken stream again; the answer is never computed twice. Until then, say so.
  const tellBroken = (isBroken) => (event) => {
    const words = event.target.querySelector?.(".broken");
    if (words) words.hidden = !isBroken;
  };
  document.body.addEventListener("htmx:sseError", tellBroken(true));
  document.body.addEventListener("htmx:sseOpen", tellBroken(false));
  // Closed, and the place where the answer should stand is still open: it did not come in time.
  document.body.addEventListener("htmx:sseClose", (event) => {
    if (event.target.isConnected && event.target.matches(".is-open")) tellBroken(true)(event);
  });
})();
