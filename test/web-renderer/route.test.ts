import test from "ava";
import fc from "fast-check";
import { Stage } from "../../testbed/browser/library-stage.ts";
import { safePath } from "../../web-renderer/path.ts";

/**
 * Routes that must be refused: texts that browsers read as an address of another origin or as a script, and texts that
 * can become such a text.
 */
const HOSTILE = [
  "",
  "football",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "\t//evil.example",
  "/\n/evil.example",
  " /football",
  "https://evil.example/",
  "javascript:alert(1)",
  " javascript:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,x",
  "/..//evil.example",
  "/./\\evil.example",
  "/.//evil.example",
  "/%2e//evil.example",
  "/a/..//evil.example",
  "/\u0000",
  "/\u0085",
  "/\u007f",
  "../up",
  `/${"x".repeat(1_024)}`,
  null,
  7,
  {},
  ["/football"],
];

test("a route stays inside the sportsbook, whatever text it is", (t) => {
  for (const path of HOSTILE) t.is(safePath(path), undefined, JSON.stringify(path));
  const piece = fc.constantFrom(
    "/",
    "\\",
    ".",
    "..",
    "%2e",
    "%2f",
    "%5c",
    "@",
    ":",
    "?",
    "#",
    "\t",
    "\n",
    " ",
    "evil.example",
    "a",
    "javascript:",
    "é",
    "\u{1f600}",
    "\ud800",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece).map((parts) => `/${parts.join("")}`),
        fc.string({ unit: "binary" }).map((text) => `/${text}`),
      ),
      (path) => {
        const route = safePath(path);
        if (route === undefined) return;
        // The route stays on the same origin when a link, a router or a second check reads it.
        t.is(new URL(route, "https://a.example/x/").origin, "https://a.example");
        t.true(/^\/(?!\/)/.test(route));
        t.is(safePath(route), route);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a route keeps its path, query and hash, but removes everything that logs a player in", (t) => {
  t.is(safePath("/"), "/");
  t.is(safePath("/football/brazil?day=1&q=a%20b#odds"), "/football/brazil?day=1&q=a%20b#odds");
  t.is(safePath("/a/../b"), "/b");
  t.is(safePath("/a:b@c"), "/a:b@c");
  t.is(safePath("/são-paulo"), "/s%C3%A3o-paulo");
  t.is(safePath("/x?jwt=1&a=2&token=3&brand=4&jwt=5#jwt"), "/x?a=2#jwt");
  t.is(safePath("/x?jwt=1"), "/x");
});

let stage: Stage;

test.before(async () => {
  stage = await Stage.open();
});
test.after.always(() => stage?.close());

test.serial(
  "the page's sb-path is the first route; then it follows the sportsbook, and the rest of the address does not change",
  async (t) => {
    const visit = await stage.visit("/?utm=a%20b&sb-path=%2Ffootball%3Fday%3D1&empty=&utm=%zz#section");
    await visit.initialize();
    const frame = await visit.started();
    t.deepEqual(await visit.asked("navigate"), ["/football?day=1"]);
    const entries = await visit.page.evaluate(() => history.length);
    await visit.page.evaluate(() => history.replaceState({ kept: true }, ""));
    await frame.evaluate(() => window.sportsbook.page.send("routeChange", { path: "/match/7?tab=a&b#odds" }));
    await visit.untilCalled("onRouteChange");
    t.is(visit.page.url(), `${stage.merchant}/?utm=a%20b&empty=&utm=%zz&sb-path=/match/7%3Ftab%3Da%26b%23odds#section`);
    t.deepEqual(await visit.page.evaluate(() => [history.length, history.state]), [entries, { kept: true }]);
    t.is(await visit.page.evaluate(() => new URLSearchParams(location.search).get("sb-path")), "/match/7?tab=a&b#odds");
    await visit.close();
  },
);

test.serial("an address under another <base> stays on the page's own origin", async (t) => {
  stage.shown.set("merchant /based", {
    html: `<base href="${stage.evil}/">${(await (await fetch(stage.merchant)).text()).replace("<!doctype html>", "")}`,
  });
  const visit = await stage.visit("/based");
  await visit.initialize();
  const frame = await visit.started();
  await frame.evaluate(() => window.sportsbook.page.send("routeChange", { path: "/live" }));
  await visit.untilCalled("onRouteChange");
  t.is(visit.page.url(), `${stage.merchant}/based?sb-path=/live`);
  t.deepEqual(visit.console, []);
  await visit.close();
});

test.serial("going back and forward in the page navigates the sportsbook", async (t) => {
  const visit = await stage.visit("/?sb-path=/one");
  await visit.initialize();
  await visit.started();
  await visit.page.evaluate(() => {
    history.pushState(null, "", "?sb-path=/two");
    history.pushState(null, "", "?nothing");
    history.pushState(null, "", "?sb-path=//evil.example");
    history.go(-3);
  });
  await visit.page.waitForURL("**/?sb-path=/one");
  await visit.page.evaluate(() => history.forward());
  await visit.untilAsked("navigate", "/two");
  await visit.page.evaluate(() => history.go(2));
  await visit.page.waitForURL("**/?sb-path=//evil.example");
  await visit.page.evaluate(() => history.go(-3));
  await visit.page.waitForURL("**/?sb-path=/one");
  await visit.page.evaluate(() => window.renderer.refreshBalance());
  await visit.untilAsked("refreshBalance", undefined);
  // A wrong sb-path has no effect: the page requests the route that the sportsbook already shows.
  t.deepEqual(await visit.asked("navigate"), ["/one", "/two", "/two", "/one"]);
  await visit.close();
});

test.serial(
  "navigate and the option path change sb-path and call onRouteChange once, and add no history entry",
  async (t) => {
    const visit = await stage.visit("/?sb-path=/start");
    await visit.initialize();
    await visit.started();
    await visit.untilCalled("onRouteChange");
    const entries = await visit.page.evaluate(() => history.length);
    await visit.page.evaluate(() => {
      window.renderer.navigate("/live");
      window.renderer.navigate("/live");
      window.renderer.updateOptions({ path: "/bets" });
    });
    await visit.untilCalled("onRouteChange", 3);
    const frame = await visit.sportsbook();
    // The sportsbook reports the same route again. This happens when both its own router and the page have changed the
    // route.
    await frame.evaluate(() => {
      window.sportsbook.page.send("routeChange", { path: "/bets" });
      window.sportsbook.page.send("login");
    });
    await visit.untilCalled("onLogin");
    t.deepEqual(await visit.called("onRouteChange"), [["/start"], ["/live"], ["/bets"]]);
    t.is(visit.page.url(), `${stage.merchant}/?sb-path=/bets`);
    t.is(await visit.page.evaluate(() => history.length), entries);
    await visit.close();
  },
);

test.serial(
  "going back to an address without sb-path shows the start page, and a wrong sb-path is corrected",
  async (t) => {
    const visit = await stage.visit("/");
    await visit.initialize();
    await visit.started();
    await visit.page.evaluate(() => {
      history.pushState(null, "", "?sb-path=//evil.example");
      history.pushState(null, "", "?sb-path=/two");
      window.renderer.navigate("/two");
    });
    await visit.untilCalled("onRouteChange");
    // The address is /two before the step as well, so the test can wait for the correction only after the step.
    await visit.page.evaluate(
      () =>
        new Promise((resolve) => {
          addEventListener("popstate", resolve, { once: true });
          history.back();
        }),
    );
    await visit.page.waitForFunction(() => location.search === "?sb-path=/two");
    await visit.page.evaluate(() => history.back());
    await visit.untilCalled("onRouteChange", 2);
    t.is(visit.page.url(), `${stage.merchant}/`);
    t.deepEqual(await visit.called("onRouteChange"), [["/two"], ["/"]]);
    await visit.close();
  },
);

test.serial("the start page has no sb-path, even if the sportsbook reported another route just before", async (t) => {
  const visit = await stage.visit("/?a=1&sb-path=/one&b=2#here");
  await visit.initialize();
  const frame = await visit.started();
  // As when the player steps back twice: the sportsbook answers the first step while the page is at the second one.
  await frame.evaluate(() => {
    window.sportsbook.page.send("routeChange", { path: "/two" });
    window.sportsbook.page.send("routeChange", { path: "/" });
    window.sportsbook.page.send("login");
  });
  await visit.untilCalled("onLogin");
  t.is(visit.page.url(), `${stage.merchant}/?a=1&b=2#here`);
  await visit.close();
});

test.serial(
  "the option path has precedence over sb-path; without syncPath the page's address neither changes nor changes the route",
  async (t) => {
    const visit = await stage.visit("/?sb-path=/address");
    await visit.initialize({ path: "/option", syncPath: false });
    const frame = await visit.started();
    await frame.evaluate(() => window.sportsbook.page.send("routeChange", { path: "/elsewhere" }));
    await visit.untilCalled("onRouteChange");
    await visit.page.evaluate(() => {
      history.pushState(null, "", "?sb-path=/pushed");
      history.back();
    });
    await visit.page.waitForURL("**/?sb-path=/address");
    await visit.page.evaluate(() => window.renderer.refreshBalance());
    await visit.untilAsked("refreshBalance", undefined);
    t.deepEqual(await visit.asked("navigate"), ["/option"]);
    await visit.close();
  },
);

test.serial("a hostile sb-path, path, navigate or route of the sportsbook is ignored", async (t) => {
  const visit = await stage.visit("/?sb-path=//evil.example");
  await visit.initialize();
  const frame = await visit.started();
  await visit.page.evaluate((paths) => {
    for (const path of paths) {
      window.renderer.navigate(path as string);
      window.renderer.updateOptions({ path: path as string });
    }
    window.renderer.refreshBalance();
  }, HOSTILE);
  await visit.untilAsked("refreshBalance", undefined);
  t.deepEqual(await visit.asked("navigate"), []);
  t.true(visit.console.some((line) => line.endsWith("option path ignored")));
  await frame.evaluate((paths) => {
    for (const path of paths.slice(0, 12)) window.sportsbook.page.send("routeChange", { path: path as string });
    window.sportsbook.page.send("login");
  }, HOSTILE);
  await visit.untilCalled("onLogin");
  t.deepEqual(await visit.called("onRouteChange"), []);
  t.is(visit.page.url(), `${stage.merchant}/?sb-path=//evil.example`);
  await visit.close();
});
