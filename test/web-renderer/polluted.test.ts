/** The library in a page whose other scripts have changed what the language and the browser provide. */
import test from "ava";
import { merchantPage, Stage } from "../../testbed/browser/library-stage.ts";

let stage: Stage;

test.before(async () => {
  stage = await Stage.open();
});
test.after.always(() => stage?.close());

const PAGES: Record<string, string> = {
  "methods toJSON, and an Array.from without its second parameter":
    "Array.prototype.toJSON = () => '[]'; String.prototype.toJSON = () => 'x'; Array.from = (all) => all.slice();",
  "properties of all objects that have the names of options and of a message's fields":
    "Object.assign(Object.prototype, { onLogin() { window.wrong = true }, url: 'http://evil.localhost:1', id: '5', token: 'x', syncPath: true, payload: { path: '/wrong' } });",
  "frozen built-in objects":
    "for (const one of [Object, Array, Function, String, Promise, Map, Set, URL, EventTarget, Element]) Object.freeze(one.prototype);",
  "a clock that stands still": "Date.now = () => 0; performance.now = () => 0;",
  "time-outs that are objects":
    "const [set, clear] = [setTimeout, clearTimeout]; window.setTimeout = (...all) => ({ id: set(...all) }); window.clearTimeout = (one) => clear(one?.id);",
  "constants with the names of the window's properties": "const origin = 'http://evil.localhost:1', name = 'x';",
};

for (const [what, script] of Object.entries(PAGES)) {
  test.serial(`a page with ${what}`, async (t) => {
    const library = `<script>${script}</script><script src="${stage.sportsbook}/sb-renderer.min.js"></script>`;
    stage.shown.set("merchant /polluted", { html: merchantPage(stage.sportsbook, library) });
    const visit = await stage.visit("/polluted");
    await visit.initialize();
    const frame = await visit.started();
    await frame.evaluate(() => window.sportsbook.page.send("login"));
    await visit.untilCalled("onLogin");
    await visit.page.evaluate(() => window.renderer.kill());
    t.is(await visit.page.evaluate(() => document.querySelectorAll("#target iframe").length), 0);
    t.false(await visit.page.evaluate(() => "wrong" in window));
    t.deepEqual(visit.complaints(), []);
    await visit.close();
  });
}
