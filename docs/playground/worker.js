// The worker of the playground: it loads Pyodide and senna-py, and tags text.
//
// It sends messages of these kinds: `progress` (bytes received, of a total), `ready`,
// `tagged`, `refused` (a text) and `failed` (the tagger cannot be loaded).

const send = (kind, message) => postMessage({ kind, ...message });
const fetchUncounted = self.fetch;

/** Let all files that are fetched from now on report their bytes as they arrive. */
function reportProgress(total) {
  let received = 0;
  const counter = () =>
    new TransformStream({
      transform(chunk, controller) {
        received += chunk.length;
        send("progress", { received, total });
        controller.enqueue(chunk);
      },
    });
  self.fetch = async (...request) => {
    const { body, status, statusText, headers } = await fetchUncounted(...request);
    return new Response(body?.pipeThrough(counter()), { status, statusText, headers });
  };
}

async function load() {
  const manifest = await fetchUncounted("files.json");
  if (!manifest.ok) throw new Error("This copy of the site was built without the tagger.");
  const { bytes, packages, wheel } = await manifest.json();
  const program = await (await fetchUncounted("tagging.py")).text();
  reportProgress(bytes);
  const indexURL = new URL("pyodide/", import.meta.url).href;
  const { loadPyodide } = await import("./pyodide/pyodide.mjs");
  const [pyodide, archive] = await Promise.all([
    loadPyodide({ indexURL, packageBaseUrl: indexURL, packages }),
    fetch(wheel).then((response) => response.arrayBuffer()),
  ]);
  pyodide.unpackArchive(archive, "wheel");
  pyodide.runPython(program);
  return pyodide.globals;
}

const loading = load();
loading.then(
  (program) => send("ready", { styleSheet: program.get("style_sheet")() }),
  (error) => send("failed", { reason: lastLine(error) }),
);

onmessage = async ({ data: { text, layers } }) => {
  const tag = (await loading).get("tag");
  const begin = performance.now();
  try {
    const answer = tag(text, layers);
    const [html, sentences] = answer.toJs();
    answer.destroy();
    send("tagged", { html, sentences, seconds: (performance.now() - begin) / 1000 });
  } catch (error) {
    send("refused", { reason: lastLine(error) });
  }
};

/** The last line of a message; where Python shows a traceback, the error itself. */
function lastLine(error) {
  return error.message.trim().split("\n").at(-1);
}
