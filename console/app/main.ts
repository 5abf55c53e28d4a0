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
// The session, the words and the page's code are read at the same time, because each takes a while.
const session = currentSession();
session.catch(() => "the app shows the failure");
await readWords();
loadPageOf(currentRoute().page).catch(() => "the frame loads the page again and shows the failure");
document.title = words.shell.title;
showScheme(keptScheme());
const root = document.getElementById("app");
if (root === null) throw new Error("the page lacks #app");
render(html`<${App} first=${session} />`, root);
