/** The back office in a browser. It has no rights of its own: each call is decided by the signed-in admin key. */
import { render } from "preact";
import { showInvisibleCharacters } from "../../look/visible-text.ts";
import { currentSession } from "./service/session.ts";
import { App } from "./shell/app.tsx";
import { language, readWords, words } from "./shell/language.ts";
import { loadPage } from "./shell/pages.ts";
import { isPage, NAVIGATION } from "./shell/places.ts";
import { currentRoute } from "./shell/route.ts";
import { keptScheme, showScheme } from "./shell/scheme.ts";

document.documentElement.lang = language;
// The session is read while the words and then the page's code are loaded, because each takes a round trip. The app shows
// a failure of the session, and the frame loads the page again and shows its failure.
const session = currentSession();
session.catch(() => {});
await readWords();
const page = currentRoute().page || NAVIGATION[0];
if (page !== undefined && isPage(page)) loadPage(page).catch(() => {});
showInvisibleCharacters();
document.title = words.shell.title;
showScheme(keptScheme());
const root = document.getElementById("app");
if (root === null) throw new Error("the page lacks #app");
render(<App first={session} />, root);
