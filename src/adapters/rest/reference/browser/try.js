// @ts-check
import { signedHeaders } from "./sign.js";

const input = (/** @type {string} */ id) => /** @type {HTMLInputElement | null} */ (document.getElementById(id));

/**
 * Fills in the credentials of the link that `npm start` prints. They are after the #, so browsers never send them. They
 * are removed from the address at once.
 */
function takeCredentials() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const [merchant, secret] = [fragment.get("merchant"), fragment.get("secret")];
  const fields = [input("merchant"), input("secret")];
  if (merchant === null || secret === null || fields[0] == null || fields[1] == null) return;
  fields[0].value = merchant;
  fields[1].value = secret;
  history.replaceState(null, "", location.pathname + location.search);
}

/** The target that a form asks for, from `/v1` on, with its parameters percent-encoded. */
function targetOf(/** @type {HTMLFormElement} */ form) {
  const query = new URLSearchParams();
  let path = form.dataset.path ?? "";
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[data-in]"))) {
    if (field.dataset.in === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(field.value));
    else if (field.value !== "") query.set(field.name, field.value);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Signs the call of a form, sends it and shows the answer. */
async function send(/** @type {HTMLFormElement} */ form, /** @type {string} */ root) {
  const method = form.dataset.method ?? "GET";
  const body = form.querySelector("textarea")?.value ?? "";
  const target = targetOf(form);
  const [merchant = "", secret = ""] = ["merchant", "secret"].map((id) => input(id)?.value.trim());
  const headers = {
    ...(body === "" ? {} : { "Content-Type": "application/json" }),
    ...(await signedHeaders(merchant, secret, method, target, body)),
  };
  const began = performance.now();
  const reply = await fetch(new URL(target.slice(1), root), { method, headers, ...(body === "" ? {} : { body }) });
  const text = await reply.text();
  const took = Math.round(performance.now() - began);
  return { line: `${reply.status} ${reply.statusText}, ${took} ms`, text: pretty(text) };
}

function pretty(/** @type {string} */ text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Makes the forms of the page send their calls. @param {string} root - the API's own address. */
export function offerTrying(root) {
  takeCredentials();
  addEventListener("hashchange", takeCredentials);
  document.getElementById("credentials")?.addEventListener("submit", (event) => event.preventDefault());
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-path]"))) {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const said = await send(form, root).catch((cause) => ({ line: "The call failed", text: String(cause) }));
      const line = document.createElement("p");
      line.className = "answer-status";
      line.textContent = said.line;
      const pre = document.createElement("pre");
      pre.tabIndex = 0;
      pre.textContent = said.text;
      form.querySelector("[role=status]")?.replaceChildren(line, pre);
    });
  }
}
