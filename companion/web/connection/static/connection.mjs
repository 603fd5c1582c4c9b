// @ts-check
/**
 * The connection is gone: said in the language of the page, in place of Streamlit's own dialog,
 * which knows English only. What is on the page stays usable.
 */

const DIALOG = '[data-testid="stDialog"]';

function look() {
  const lost = document.querySelector(DIALOG) !== null;
  const bar = document.querySelector(".no-connection");
  if (lost && !bar) {
    const fresh = document.createElement("p");
    fresh.className = "no-connection";
    fresh.setAttribute("role", "status");
    document.body.append(fresh);
    // A status is read out when its words come, not when it does.
    fresh.textContent =
      document.querySelector('meta[name="no-connection"]')?.getAttribute("content") ?? "";
  } else if (!lost) bar?.remove();
}

new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
