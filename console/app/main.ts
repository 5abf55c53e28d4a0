/** The back office in a browser. It has no rights of its own: each call is decided by the signed-in admin key. */
import { render } from "preact";
import { html } from "./parts/html.ts";
import { currentSession } from "./service/session.ts";
import { App } from "./shell/app.ts";
import { language, readWords, words } from "./shell/language.ts";
import { loadPageOf } from "./shell/pages.ts";
import { currentRoute } from "./shell/route.ts";
import { keptScheme, showScheme } from "./shell/scheme.ts";

document.documentElement.lang = language;
// The session is read while the words and then the page's code are loaded, because each takes a round trip. The app shows
// a failure of the session, and the frame loads the page again and shows its failure.
const session = currentSession();
session.catch(() => {});
await readWords();
loadPageOf(currentRoute().page).catch(() => {});
document.title = words.shell.title;
showScheme(keptScheme());
const root = document.getElementById("app");
if (root === null) throw new Error("the page lacks #app");
render(html`<${App} first=${session} />`, root);
