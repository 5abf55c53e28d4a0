/** The back office in a browser. It has no rights of its own: each call is decided by the signed-in admin key. */
import { render } from "preact";
import { html } from "./parts/html.ts";
import { App } from "./shell/app.ts";
import { language, readWords, words } from "./shell/language.ts";
import { keptScheme, showScheme } from "./shell/scheme.ts";

document.documentElement.lang = language;
await readWords();
document.title = words.shell.title;
showScheme(keptScheme());
const root = document.getElementById("app");
if (root === null) throw new Error("the page lacks #app");
render(html`<${App} />`, root);
