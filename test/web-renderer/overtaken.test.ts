/** Renewals of a session during which another event happens: a login, a logout, a reload of the frame, a kill. */
import test from "ava";
import { Stage } from "../../testbed/browser/library-stage.ts";

let stage: Stage;

test.before(async () => {
  stage = await Stage.open();
});
test.after.always(() => stage?.close());

test.serial("a login, a logout, a kill and a new initialize each replace a renewal in progress", async (t) => {
  const visit = await stage.visit();
  const expire = async (token: string) => {
    await visit.page.evaluate(() => {
      window.called.length = 0;
      window.callbacks.onTokenExpired = () =>
        new Promise((resolve) => {
          window.called.push(["onTokenExpired"]);
          Object.assign(window, { answer: () => resolve("jwt-overtaken") });
        });
    });
    await visit.initialize({ token });
    const frame = await visit.started();
    stage.expireSessions();
    void frame.evaluate(() => void window.sportsbook.balance());
    await visit.untilCalled("onTokenExpired");
  };
  const answer = () => visit.page.evaluate(() => (window as unknown as { answer: () => void }).answer());

  await expire("jwt-overtake-1");
  await visit.page.evaluate(() => window.renderer.updateOptions({ token: "jwt-overtake-2" }));
  await answer();
  await visit.untilAsked("session", "session of jwt-overtake-2");
  t.deepEqual(await visit.asked("signIn"), ["jwt-overtake-1", "jwt-overtake-2"]);

  await expire("jwt-overtake-3");
  await visit.page.evaluate(() => window.renderer.updateOptions({ token: null }));
  await answer();
  await visit.untilAsked("session", null);
  t.deepEqual(await visit.asked("signIn"), ["jwt-overtake-3"]);

  await expire("jwt-overtake-4");
  await visit.initialize({ token: "jwt-overtake-5" });
  await answer();
  await visit.started();
  t.deepEqual(await visit.asked("signIn"), ["jwt-overtake-5"]);

  await expire("jwt-overtake-6");
  await visit.page.evaluate(() => window.renderer.kill());
  await answer();
  await visit.initialize({ token: null });
  await visit.started();
  t.deepEqual(await visit.asked("signIn"), []);
  t.false(visit.console.some((line) => line.includes("SBRenderer") || line.startsWith("uncaught")));
  await visit.close();
});

test.serial("if the frame is loaded again during a renewal, the new frame gets the renewal's token", async (t) => {
  const visit = await stage.visit();
  await visit.page.evaluate(() => {
    window.callbacks.onTokenExpired = () =>
      new Promise((resolve) => {
        window.called.push(["onTokenExpired"]);
        Object.assign(window, { answer: () => resolve("jwt-outlives-2") });
      });
  });
  await visit.initialize({ token: "jwt-outlives" });
  const frame = await visit.started();
  stage.expireSessions();
  void frame.evaluate(() => void window.sportsbook.balance()).catch(() => {});
  await visit.untilCalled("onTokenExpired");
  await visit.page.evaluate(() =>
    document.getElementById("other")?.append(document.querySelector("iframe") as HTMLIFrameElement),
  );
  await visit.untilAsked("signIn", "jwt-outlives");
  await visit.page.evaluate(() => (window as unknown as { answer: () => void }).answer());
  await visit.started();
  t.deepEqual(await visit.asked("session"), ["session of jwt-outlives-2"]);
  t.is((await visit.called("onTokenExpired")).length, 1);
  await visit.close();
});

test.serial(
  "after a load without another document the frame gets what has changed since, and no token again",
  async (t) => {
    const visit = await stage.visit();
    await visit.initialize({ token: "jwt-same", layout: "tile", path: "/live" });
    const frame = await visit.started();
    await visit.untilAsked("navigate", "/live");
    const before = await frame.evaluate(() => window.sportsbook.calls.length);
    await visit.page.evaluate(() => {
      const load = () => document.querySelector("iframe")?.dispatchEvent(new Event("load"));
      load();
      window.renderer.updateOptions({ layout: "sidebar" });
      load();
      window.renderer.updateOptions({ oddsFormat: "american" });
      window.renderer.refreshBalance();
    });
    await visit.untilAsked("refreshBalance", undefined);
    // This message of the frame arrives after all that the page has sent.
    await frame.evaluate(() => window.sportsbook.page.send("login"));
    await visit.untilCalled("onLogin");
    t.deepEqual(await frame.evaluate((from) => window.sportsbook.calls.slice(from), before), [
      ["options", { layout: "sidebar", oddsFormat: "american" }],
      ["refreshBalance"],
    ]);

    await visit.page.evaluate(() => {
      document.querySelector("iframe")?.dispatchEvent(new Event("load"));
      window.renderer.updateOptions({ token: "jwt-same-2" });
    });
    await visit.untilAsked("session", "session of jwt-same-2");
    t.deepEqual(await visit.asked("signIn"), ["jwt-same", "jwt-same-2"]);
    await visit.close();
  },
);

test.serial(
  "another document gets its options although a second load is reported before its first answer",
  async (t) => {
    const visit = await stage.visit();
    await visit.initialize({ token: "jwt-twice", layout: "tile" });
    await visit.started();
    await visit.page.evaluate(() => {
      const iframe = document.querySelector("iframe") as HTMLIFrameElement;
      iframe.addEventListener("load", () => iframe.dispatchEvent(new Event("load")), { once: true });
      document.getElementById("other")?.append(iframe);
    });
    await visit.untilAsked("options", { layout: "tile" });
    await visit.started();
    t.deepEqual(await visit.asked("signIn"), ["jwt-twice"]);
    await visit.close();
  },
);

test.serial("a login between the load of another document and its answer signs in once", async (t) => {
  const visit = await stage.visit();
  await visit.initialize({ token: "jwt-moved" });
  await visit.started();
  await visit.page.evaluate(() => {
    const iframe = document.querySelector("iframe") as HTMLIFrameElement;
    iframe.addEventListener("load", () => window.renderer.updateOptions({ token: "jwt-moved-2" }), { once: true });
    document.getElementById("other")?.append(iframe);
  });
  await visit.untilAsked("session", "session of jwt-moved-2");
  const frame = await visit.started();
  await frame.evaluate(() => window.sportsbook.page.send("login"));
  await visit.untilCalled("onLogin");
  t.deepEqual(await visit.asked("signIn"), ["jwt-moved-2"]);
  t.deepEqual(await visit.called("onTokenExpired"), []);
  await visit.close();
});

test.serial(
  "after any sequence of logins, logouts, expirations, reloads and kills, the player of the last login is signed in",
  async (t) => {
    const visit = await stage.visit();
    for (const seed of [1, 2, 3]) {
      await visit.page.evaluate(async (seed) => {
        let state = seed;
        const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
        const targets = ["target", "other"].map((id) => document.getElementById(id) as HTMLElement);
        const fresh = (): string => `jwt-mess-${seed}-${random(1_000_000_000)}`;
        const onTokenExpired = async (): Promise<string | null> => {
          await new Promise((resolve) => setTimeout(resolve, random(30)));
          if (random(4) === 0) throw new Error("no launch");
          return [fresh(), "jwt-used", null][random(3)] ?? null;
        };
        const renderer = new window.SBRenderer();
        window.renderer = renderer;
        const initialize = (): void =>
          renderer.initialize({
            target: targets[random(2)] as HTMLElement,
            brand_id: "luna",
            token: [null, "jwt-used", fresh()][random(3)] ?? null,
            onTokenExpired,
          });
        initialize();
        for (let step = 0; step < 40; step++) {
          const chance = random(12);
          if (chance === 0) initialize();
          if (chance === 1)
            (targets[random(2)] as HTMLElement).append(document.querySelector("iframe") as HTMLIFrameElement);
          if (chance > 1 && chance < 6)
            renderer.updateOptions({ token: [null, "jwt-used", fresh()][random(3)] ?? null });
          if (chance === 6) {
            renderer.kill();
            initialize();
          }
          if (chance > 6) await new Promise((resolve) => setTimeout(resolve, random(60)));
        }
        renderer.updateOptions({ token: `jwt-last-${seed}` });
      }, seed);
      await visit.untilAsked("session", `session of jwt-last-${seed}`);
      const frame = await visit.started();
      t.is(await frame.evaluate(() => window.sportsbook.page.session?.id), `session of jwt-last-${seed}`);
      t.is(await visit.page.locator("iframe").count(), 1);
      await visit.page.evaluate(() => window.renderer.kill());
    }
    t.false(visit.console.some((line) => line.startsWith("uncaught")));
    await visit.close();
  },
);
