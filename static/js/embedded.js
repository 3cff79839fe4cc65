// The page inside a foreign one: tells the outer script how high it is, and nothing else.
"use strict";

(() => {
  if (parent === window) return;
  const tell = () => parent.postMessage({ wegweiserHeight: Math.ceil(document.documentElement.getBoundingClientRect().height) }, "*");
  new ResizeObserver(tell).observe(document.body);
  tell();
})();
