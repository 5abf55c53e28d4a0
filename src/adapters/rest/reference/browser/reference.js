// @ts-check
/* global SwaggerUIBundle */
import { keepAccessible } from "./accessible.js";
import { signedHeaders } from "./sign.js";

/** The API's own address, without the path of this page. */
const ROOT = new URL(".", document.baseURI).href;
const TRY_OUT = document.documentElement.dataset.tryOut === "true";

const input = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (document.getElementById(id));

/**
 * Fills in the credentials of the link that `npm start` prints. They stand behind the #, which browsers send to no
 * server, and are removed from the address at once.
 */
function takeCredentials() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const [merchant, secret] = [fragment.get("merchant"), fragment.get("secret")];
  if (merchant === null || secret === null) return;
  input("merchant").value = merchant;
  input("secret").value = secret;
  history.replaceState(null, "", location.pathname + location.search);
}

/**
 * Sends what Swagger UI is about to send to the address that the page came from, and signs it. The description names
 * the API address, which may be another one.
 *
 * @param {{ url: string, method: string, body?: string, headers: Record<string, string>, loadSpec?: boolean }} request
 */
async function signRequest(request) {
  if (request.loadSpec || !TRY_OUT) return request;
  const url = new URL(request.url, location.href);
  const target = url.pathname.slice(url.pathname.indexOf("/v1")) + url.search;
  request.url = ROOT + target.slice(1);
  const method = request.method.toUpperCase();
  // A GET has no body, but Swagger UI does not always have "" for it.
  const body = typeof request.body === "string" && method !== "GET" ? request.body : "";
  request.headers = {
    ...request.headers,
    ...(await signedHeaders(input("merchant").value.trim(), input("secret").value.trim(), method, target, body)),
  };
  return request;
}

const reference = /** @type {HTMLElement} */ (document.getElementById("reference"));
keepAccessible(reference);
if (TRY_OUT) {
  takeCredentials();
  addEventListener("hashchange", takeCredentials);
  document.getElementById("credentials")?.addEventListener("submit", (event) => event.preventDefault());
}

// @ts-expect-error: swagger-ui-bundle.js defines it.
globalThis.ui = SwaggerUIBundle({
  url: new URL("openapi.json", ROOT).href,
  domNode: reference,
  deepLinking: false,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  defaultModelExpandDepth: 2,
  displayRequestDuration: true,
  supportedSubmitMethods: TRY_OUT ? ["get", "post"] : [],
  requestInterceptor: signRequest,
  syntaxHighlight: { activated: false },
});

const tabs = [.../** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[role=tab]"))];

function choose(/** @type {HTMLButtonElement} */ chosen) {
  for (const tab of tabs) {
    tab.setAttribute("aria-selected", String(tab === chosen));
    tab.tabIndex = tab === chosen ? 0 : -1;
    const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
    if (panel !== null) panel.hidden = tab !== chosen;
  }
  chosen.focus();
}

for (const [i, tab] of tabs.entries()) {
  tab.addEventListener("click", () => choose(tab));
  tab.addEventListener("keydown", ({ key }) => {
    const next = tabs.at({ ArrowRight: (i + 1) % tabs.length, ArrowLeft: i - 1 }[key] ?? i);
    if (next !== undefined && next !== tab) choose(next);
  });
}
