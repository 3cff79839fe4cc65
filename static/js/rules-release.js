/* The review of a release: new rules and what stands below them are ticked together. */
(() => {
  "use strict";

  const form = document.getElementById("release-form");
  if (!form) return;
  form.closest(".rules-page").classList.add("is-scripted");
  const boxes = () => Array.from(form.querySelectorAll('input[name="rule"]'));

  // Without the new rule above it a rule cannot be published; without it nothing below it can.
  function tie(box) {
    boxes().forEach((other) => {
      if (box.checked && other.value === box.dataset.above && !other.checked) {
        other.checked = true;
        tie(other);
      }
      if (!box.checked && other.dataset.above === box.value && other.checked) {
        other.checked = false;
        tie(other);
      }
    });
  }

  form.addEventListener("change", (event) => {
    if (event.target.name === "rule") tie(event.target);
  });

  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-tick]");
    if (!button) return;
    boxes().forEach((box) => {
      box.checked = button.dataset.tick === "all";
    });
    const first = boxes()[0];
    if (first) first.dispatchEvent(new Event("change", { bubbles: true }));
  });
})();
