"use strict";
/* The bench: sends the question, shows how far it is and the answer as it grows, then the whole trace. */
(() => {
  const bench = document.querySelector("[data-bench]");
  if (!bench) return;
  const byId = (id) => document.getElementById(id);
  const form = byId("ask");
  const [trouble, running, growing, result, said] = ["trouble", "running", "growing", "result", "said"].map((name) => byId(`bench-${name}`));
  let run = null;
  let clock = 0;
  let opened = new Map();

  const say = (text) => {
    said.textContent = text;
  };

  function show(target, html) {
    htmx.swap(target, html, { swapStyle: "innerHTML" });
  }

  function complain(html) {
    if (html) show(trouble, html);
    else trouble.textContent = bench.dataset.lost;
    trouble.scrollIntoView({ block: "nearest" });
  }

  function begin() {
    clearInterval(clock);
    const isSecond = Boolean(form.elements.other?.value);
    trouble.replaceChildren();
    opened = new Map([...result.querySelectorAll("details[data-keep-open]")].map((each) => [each.dataset.keepOpen, each.open]));
    result.replaceChildren();
    for (const each of growing.querySelectorAll("[data-growing]")) each.replaceChildren();
    for (const each of growing.querySelectorAll("[data-second]")) each.hidden = !isSecond;
    growing.classList.toggle("are-two", isSecond);
    growing.hidden = true;
    running.hidden = false;
    byId("bench-progress").textContent = "";
    const started = Date.now();
    const tick = () => {
      byId("bench-clock").textContent = `${Math.round((Date.now() - started) / 1000)} s`;
    };
    tick();
    clock = setInterval(tick, 1000);
    say(bench.dataset.begun);
  }

  function end() {
    clearInterval(clock);
    running.hidden = true;
  }

  const handlers = {
    progress: (data) => {
      byId("bench-progress").textContent = data.text;
    },
    answer: (data) => {
      growing.hidden = false;
      show(growing.querySelector(`[data-growing="${data.place}"]`), data.html);
    },
    result: (data) => {
      growing.hidden = true;
      show(result, data.html);
      for (const each of result.querySelectorAll("details[data-keep-open]")) {
        if (opened.has(each.dataset.keepOpen)) each.open = opened.get(each.dataset.keepOpen);
      }
      say(result.querySelector("[data-said]").textContent.replace(/\s+/g, " ").trim());
    },
    trouble: (data) => complain(data.html),
  };

  /* Returns what is left over: the beginning of an event whose end has not come yet. */
  function read(text) {
    const events = text.split("\n\n");
    const rest = events.pop();
    for (const event of events) {
      const lines = event.split("\n");
      const name = lines.find((line) => line.startsWith("event: "))?.slice(7);
      const data = lines.filter((line) => line.startsWith("data: ")).map((line) => line.slice(6)).join("\n");
      if (name in handlers) handlers[name](JSON.parse(data));
    }
    return rest;
  }

  async function ask() {
    run?.abort();
    const mine = new AbortController();
    run = mine;
    begin();
    try {
      const answer = await fetch(bench.dataset.run, {
        method: "POST",
        body: new URLSearchParams(new FormData(form)),
        headers: { "HX-Request": "true" },
        signal: mine.signal,
      });
      if (!answer.ok) {
        const isOurs = answer.status === 422 || answer.status === 503;
        complain(isOurs ? await answer.text() : "");
        return;
      }
      const pieces = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) rest = read(rest + piece.value);
      if (!result.firstElementChild && !trouble.firstElementChild) complain("");
    } catch (error) {
      if (mine.signal.aborted) {
        if (run === mine) say(bench.dataset.stopped);
      } else {
        complain("");
      }
    } finally {
      if (run === mine) end();
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const pressed = event.submitter?.name === "suggestion" ? event.submitter.value : "";
    const { question, earlier } = form.elements;
    if (pressed && question.value.trim() && question.value.trim() !== pressed) {
      earlier.value = `${earlier.value.trim()}\n${question.value.replace(/\s+/g, " ").trim()}`.trim();
      earlier.closest("details").open = true;
    }
    if (pressed) question.value = pressed;
    ask();
  });
  form.elements.question.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  byId("bench-stop").addEventListener("click", () => {
    run?.abort();
    form.elements.question.focus();
  });
  bench.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const text = byId(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(text.value);
      say(bench.dataset.copied);
      button.textContent = bench.dataset.copied;
    } catch {
      text.focus();
      text.select();
      say(bench.dataset.uncopied);
    }
  });
})();
