// The reader's page: Enter sends, words stay when something fails. Everything works without this file.
"use strict";

(() => {
  const form = document.getElementById("ask");
  if (!form) return;
  const field = document.getElementById("id_question");
  const message = document.getElementById("form-message");

  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit(document.getElementById("ask-button"));
    }
  });

  document.body.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt !== form || !event.detail.successful) return;
    field.value = "";
    document.querySelector("#turns > article:last-of-type")?.scrollIntoView({ block: "start" });
  });

  const say = (name) => {
    const words = document.getElementById(name);
    const paragraph = document.createElement("p");
    paragraph.className = "problem";
    paragraph.textContent = words ? words.textContent : "";
    message.replaceChildren(paragraph);
  };
  document.body.addEventListener("htmx:sendError", () => say("says-offline"));
  document.body.addEventListener("htmx:timeout", () => say("says-offline"));

  // A stream that breaks would be opened again by the browser; the answer is never computed twice, but say so.
  document.body.addEventListener("htmx:sseError", (event) => {
    const broken = event.target.querySelector?.(".broken");
    if (broken) broken.hidden = false;
  });
  document.body.addEventListener("htmx:sseOpen", (event) => {
    const broken = event.target.querySelector?.(".broken");
    if (broken) broken.hidden = true;
  });
})();
