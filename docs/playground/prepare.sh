#!/bin/sh
# Fetch and build what the playground loads, for `mkdocs build` to put on the site: Pyodide,
# packages of the same version (whose checksums Pyodide checks), and senna-py's wheel.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p build/playground
cp docs/playground/package*.json build/playground
(
  cd build/playground
  npm ci --ignore-scripts
  node --input-type=module --eval '
    import { loadPyodide } from "pyodide";
    const pyodide = await loadPyodide();
    await pyodide.loadPackage(["numpy", "regex"]);
    pyodide.runPython("import numpy, regex");  // a package that cannot be had is only a message'
)
python -m pip wheel --no-deps --wheel-dir build/playground .
