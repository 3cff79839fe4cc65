"use strict";
/* Word lists as chips over a text field with one word a line. The field stays what is sent. */
(() => {
  const pattern = document.getElementById("rule-chip");
  if (!pattern) return;
  const quotes = /^["„“”»«]/;
  const signs = /^[\s"„“”»«*]+|[\s"„“”»«*]+$/g;

  function read(line) {
    const text = line.split("|").map((part) => part.replace(signs, "")).filter(Boolean).join(" | ");
    const first = line.split("|")[0].trim();
    let mode = "form";
    if (quotes.test(first) && /["„“”»«]$/.test(line.length > 1 ? line : "")) mode = "exactly";
    else if (first.startsWith("*")) mode = "ends";
    else if (first.endsWith("*") || line.endsWith("*")) mode = "starts";
    return { text, mode };
  }

  const write = ({ text, mode }) => ({ form: text, exactly: `"${text}"`, starts: `${text}*`, ends: `*${text}` })[mode];

  function enliven(holder) {
    const area = holder.querySelector("textarea");
    const root = pattern.content.cloneNode(true);
    const list = root.querySelector("[data-chips]");
    const input = root.querySelector("[data-new]");
    const asText = root.querySelector("[data-as-text]");
    const chip = root.querySelector("[data-chip]");
    chip.remove();
    let words = [];
    let edited = null;

    const load = () => (words = area.value.split("\n").map((line) => read(line.trim())).filter((word) => word.text));

    function save() {
      area.value = words.map(write).join("\n");
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }

    function draw(focus) {
      list.replaceChildren(
        ...words.map((word, index) => {
          const one = chip.cloneNode(true);
          const [label, mode, remove] = [one.querySelector("[data-edit]"), one.querySelector("select"), one.querySelector("[data-remove]")];
          label.textContent = word.text;
          label.setAttribute("aria-label", label.dataset.said.replace("{}", word.text));
          mode.value = word.mode;
          mode.setAttribute("aria-label", mode.dataset.said.replace("{}", word.text));
          remove.setAttribute("aria-label", remove.dataset.said.replace("{}", word.text));
          label.addEventListener("click", () => {
            edited = { index, mode: word.mode };
            words.splice(index, 1);
            input.value = word.text;
            save();
            draw();
            input.focus();
          });
          mode.addEventListener("change", () => {
            word.mode = mode.value;
            save();
          });
          remove.addEventListener("click", () => {
            words.splice(index, 1);
            save();
            draw(Math.min(index, words.length - 1));
          });
          return one;
        }),
      );
      if (focus === undefined) return;
      (list.children[focus]?.querySelector("[data-remove]") || input).focus();
    }

    function take(text) {
      const fresh = text.split(/[\n,;]/).map((line) => read(line.trim())).filter((word) => word.text);
      if (!fresh.length) return;
      if (edited && fresh.length === 1 && fresh[0].mode === "form") fresh[0].mode = edited.mode;
      words.splice(edited ? edited.index : words.length, 0, ...fresh);
      edited = null;
      input.value = "";
      save();
      draw();
    }

    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        take(input.value);
      } else if (event.key === "Backspace" && !input.value && words.length) {
        event.preventDefault();
        list.lastElementChild.querySelector("[data-edit]").click();
      }
    });
    input.addEventListener("input", () => /[\n,;]/.test(input.value) && take(input.value));
    input.addEventListener("blur", () => take(input.value));
    asText.addEventListener("click", () => {
      const toText = area.hidden;
      if (toText) take(input.value);
      else draw(load());
      area.hidden = !toText;
      list.hidden = input.hidden = toText;
      asText.textContent = toText ? asText.dataset.chips : asText.dataset.text;
      (toText ? area : input).focus();
    });
    /* The label belongs to what is seen. */
    input.id = `${area.id}_new`;
    document.querySelector(`label[for="${area.id}"]`)?.setAttribute("for", input.id);
    input.setAttribute("aria-describedby", area.getAttribute("aria-describedby") || "");
    if (area.getAttribute("aria-invalid")) input.setAttribute("aria-invalid", "true");
    area.hidden = true;
    holder.append(root);
    load();
    draw();
  }

  document.querySelectorAll("[data-words]").forEach(enliven);
})();
