// What the theme adds to a page in the browser, made fit for keyboards and screen readers.

const COPY = "nav.md-code__nav" // A button to copy is no place to navigate to.
const TABLE = ".md-typeset__scrollwrap" // A wide table is scrolled.

function mend() {
  for (const nav of document.querySelectorAll(`${COPY}:not([role])`))
    nav.setAttribute("role", "none")
  for (const box of document.querySelectorAll(TABLE))
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0
    else box.removeAttribute("tabindex")
}

mend()
new MutationObserver(mend).observe(document.body, { childList: true, subtree: true })
addEventListener("resize", mend)
