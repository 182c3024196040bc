// The page to type into: it sends text to the worker that tags it, and shows the result.

const at = (name) => document.getElementById(`playground-${name}`);
const form = document.getElementById("playground");
const [text, examples, link] = [at("text"), at("examples"), at("link")];
const [status, result] = [at("status"), at("result")];
const [loading, progress, bytes] = [at("loading"), at("progress"), at("bytes")];

const PAUSE = 300; // milliseconds without a key until the text is tagged
const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });

// Results stand in a tree of their own, where the styles of the site do not reach them.
const shown = result.attachShadow({ mode: "open" });
const styles = new CSSStyleSheet();
shown.adoptedStyleSheets = [styles];

let isReady = false;
let isTagging = false;
let isChanged = false; // since it was sent to the worker
let timer;

/** What to do with each kind of message of the worker. */
const receive = {
  progress({ received, total }) {
    const megabytes = (number) => Math.round(number / 1e6);
    progress.max = total;
    progress.value = received;
    bytes.textContent = `${megabytes(received)} of ${megabytes(total)} MB`;
    if (received >= total) status.textContent = "Starting the tagger";
  },

  ready({ styleSheet }) {
    styles.replaceSync(styleSheet);
    const paper = ".senna-py { --paper: var(--md-default-bg-color) }"; // the site's
    styles.insertRule(paper, styles.cssRules.length);
    const indent = ".senna-py ol { padding-inline-start: 2em }"; // A rem is larger here.
    styles.insertRule(indent, styles.cssRules.length);
    followColorScheme();
    new MutationObserver(followColorScheme).observe(document.body, {
      attributeFilter: ["data-md-color-scheme"],
    });
    loading.hidden = true;
    isReady = true;
    tag();
  },

  tagged({ html, sentences, seconds }) {
    // Its text is escaped, and it has no scripts: see senna_py/display.
    shown.innerHTML = `<div class="senna-py">${html}</div>`;
    const count = sentences === 1 ? "1 sentence" : `${sentences} sentences`;
    finish(`${count}, tagged in ${seconds.toFixed(2)} seconds`);
  },

  refused({ reason }) {
    shown.replaceChildren();
    finish(reason);
  },

  failed({ reason }) {
    loading.hidden = true;
    status.textContent = reason;
  },
};

worker.onmessage = ({ data: { kind, ...message } }) => receive[kind](message);
worker.onerror = () => receive.failed({ reason: "This browser cannot run the tagger." });

/** Send the text to the worker, or do so when the worker is done with another text. */
function tag() {
  isChanged = isTagging;
  if (!isReady || isTagging) return;
  if (!text.value.trim()) {
    shown.replaceChildren();
    status.textContent = "Type some text.";
    return;
  }
  isTagging = true;
  result.classList.add("stale");
  worker.postMessage({ text: text.value, layers: form.elements.show.value });
}

function finish(message) {
  status.textContent = message;
  result.classList.remove("stale");
  isTagging = false;
  if (isChanged) tag();
}

/** Tag the text as it is now, and keep it in the address. */
function change() {
  history.replaceState(null, "", address());
  tag();
}

/** The part of the address that keeps the text; browsers do not send it to servers. */
function address() {
  const kept = new URLSearchParams({ text: text.value });
  if (form.elements.show.value !== "all") kept.set("show", form.elements.show.value);
  return `#${kept}`;
}

/** Fill in the form from the address. */
function readAddress() {
  const kept = new URLSearchParams(location.hash.slice(1));
  if (!kept.has("text")) return;
  text.value = kept.get("text").slice(0, text.maxLength);
  const layers = kept.get("show") ?? "all";
  for (const choice of form.elements.show) choice.checked ||= choice.value === layers;
}

/** Let results be dark where the site is, whatever the system prefers. */
function followColorScheme() {
  const isDark = document.body.dataset.mdColorScheme === "slate";
  for (const rule of styles.cssRules) {
    if (rule instanceof CSSMediaRule && rule.media.mediaText !== "print")
      rule.media.mediaText = isDark ? "all" : "not all";
  }
}

async function copyLink() {
  const name = link.textContent;
  try {
    await navigator.clipboard.writeText(location.href);
    link.textContent = "Copied";
  } catch {
    link.textContent = "Copy it from the address bar"; // The clipboard is not allowed.
  }
  setTimeout(() => (link.textContent = name), 2000);
}

text.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(change, PAUSE);
});
examples.addEventListener("change", () => {
  text.value = examples.value || text.value;
  change();
});
for (const choice of form.elements.show) choice.addEventListener("change", change);
form.addEventListener("submit", (event) => event.preventDefault());
link.addEventListener("click", () => {
  change();
  copyLink();
});
addEventListener("hashchange", () => {
  readAddress();
  tag();
});
readAddress();
