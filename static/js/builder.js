// The question builder: what is pressed becomes a question in the field, which the reader may change.
"use strict";

(() => {
  const builder = document.getElementById("builder");
  const field = document.getElementById("id_question");
  if (!builder || !field) return;
  const { pairs, mostTopics, mostParties } = JSON.parse(document.getElementById("builder-data").textContent);
  const said = document.getElementById("builder-said");
  const shown = document.getElementById("builder-question");
  const why = document.getElementById("builder-why");
  const send = builder.querySelector(".builder-send");
  const boxes = [...builder.querySelectorAll('input[name="choice"]')];
  let written = field.value;
  let latest = 0;
  builder.classList.add("is-scripted");

  const chosen = (kind) => boxes.filter((box) => box.checked && (!kind || box.dataset.kind === kind));

  // Why a button cannot be pressed now; nothing when it can.
  const hindrance = (box) => {
    if (box.checked) return "";
    const pressed = new Set(chosen().map((each) => each.value));
    const pair = pairs.find(
      ([topic, other]) => (topic === box.value && pressed.has(other)) || (other === box.value && pressed.has(topic)),
    );
    if (pair) return pair[2];
    const kind = box.dataset.kind;
    const isFull = (kind === "topic" && chosen("topic").length >= mostTopics)
      || (kind === "party" && chosen("party").length >= mostParties);
    return isFull ? " " : "";
  };

  // The reasons stand below the buttons: a button that is off is neither hovered on a phone nor reached by keyboard.
  const switchButtons = () => {
    const reasons = new Set();
    for (const box of boxes) {
      const reason = hindrance(box);
      box.disabled = reason !== "";
      if (reason.trim()) reasons.add(reason.trim());
    }
    const sentences = [...reasons].slice(0, 4).join(" ");
    if (why.textContent !== sentences) why.textContent = sentences;
    why.hidden = sentences === "";
  };

  // On a phone the field is out of sight: the question stands here too, with a button to send it.
  const show = () => {
    const question = chosen().length ? field.value : "";
    shown.textContent = question;
    shown.hidden = send.hidden = question === "";
  };

  const compose = async () => {
    const turn = ++latest;
    const asked = new URLSearchParams(chosen().map((box) => ["choice", box.value]));
    try {
      const answer = await fetch(`${builder.dataset.compose}?${asked}`, { headers: { Accept: "application/json" } });
      if (!answer.ok) return;
      const { question, said: sentence } = await answer.json();
      if (turn !== latest) return;
      // Never over the reader's own words.
      const isOurs = field.value.trim() === "" || field.value === written;
      if (isOurs) field.value = written = question;
      said.textContent = chosen().length ? sentence : "";
      show();
    } catch {
      // Without a connection the field stays as it is; sending says what is wrong.
    }
  };

  builder.addEventListener("change", (event) => {
    const box = event.target;
    if (box.name !== "choice") return;
    // One role at most: the one before it is let go.
    if (box.checked && box.dataset.kind === "role") {
      for (const other of chosen("role")) if (other !== box) other.checked = false;
    }
    switchButtons();
    compose();
  });

  // Sent: the next question begins with no button pressed.
  document.body.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt.id !== "ask" || !event.detail.successful) return;
    for (const box of boxes) box.checked = false;
    written = "";
    said.textContent = "";
    show();
    switchButtons();
  });
  field.addEventListener("input", show);

  switchButtons();
})();
