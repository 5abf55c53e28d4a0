import test from "ava";
import { Stage } from "../../testbed/browser/library-stage.ts";

let stage: Stage;

test.before(async () => {
  stage = await Stage.open();
});
test.after.always(() => stage?.close());

test.serial("a visitor logs in and out without a reload", async (t) => {
  const visit = await stage.visit();
  await visit.page.evaluate(() => {
    window.callbacks.onTokenExpired = () => {
      window.called.push(["onTokenExpired"]);
      return null;
    };
  });
  await visit.initialize({ token: "" });
  const frame = await visit.started();
  const login = (token: string | null | undefined) =>
    visit.page.evaluate((token) => window.renderer.updateOptions({ token }), token);
  await login(undefined);
  await login("jwt-login");
  await visit.untilAsked("session", "session of jwt-login");
  t.is(await frame.evaluate(() => window.sportsbook.balance()), "97.50");
  // As frameworks do on every change of anything.
  await login("jwt-login");
  await login("");
  await visit.untilAsked("session", null);
  await login("jwt-again");
  await visit.untilAsked("session", "session of jwt-again");
  t.deepEqual(await visit.asked("signIn"), ["jwt-login", "jwt-again"]);
  t.deepEqual(await visit.asked("session"), [null, "session of jwt-login", null, "session of jwt-again"]);
  t.is((await visit.called("onAppInitialized")).length, 1);
  t.deepEqual(await visit.called("onTokenExpired"), []);
  await visit.close();
});

test.serial("five requests of an expired session ask the merchant once, and a late sixth not at all", async (t) => {
  const visit = await stage.visit();
  await visit.page.evaluate(() => {
    window.callbacks.onTokenExpired = async () => {
      window.called.push(["onTokenExpired"]);
      await new Promise((resolve) => setTimeout(resolve, 50));
      return "jwt-five-renewed";
    };
  });
  await visit.initialize({ token: "jwt-five" });
  const frame = await visit.started();
  stage.expireSessions();
  const balances = await frame.evaluate(async () => {
    const { balance, page } = window.sportsbook;
    const old = page.session;
    const five = await Promise.all([balance(), balance(), balance(), balance(), balance()]);
    const sixth = old && (await page.renew(old))?.id;
    return [...five, sixth];
  });
  t.deepEqual(balances, ["97.50", "97.50", "97.50", "97.50", "97.50", "session of jwt-five-renewed"]);
  t.is((await visit.called("onTokenExpired")).length, 1);
  // The token that a framework still has from before is not a login.
  await visit.page.evaluate(() => window.renderer.updateOptions({ token: "jwt-five" }));
  // The next expiration is a new question.
  stage.expireSessions();
  t.is(await frame.evaluate(() => window.sportsbook.balance()), null);
  t.is((await visit.called("onTokenExpired")).length, 3);
  t.deepEqual(await visit.asked("signIn"), ["jwt-five", "jwt-five-renewed"]);
  await visit.close();
});

test.serial(
  "a renewal's token that comes back as an option is no login: not while it is signed in, and not later",
  async (t) => {
    const visit = await stage.visit();
    await visit.page.evaluate(() => {
      window.callbacks.onTokenExpired = () => {
        window.called.push(["onTokenExpired"]);
        return `jwt-back-${window.called.length}`;
      };
    });
    await visit.initialize({ token: "jwt-back" });
    const frame = await visit.started();
    stage.expireSessions();
    const signIn = Promise.withResolvers<void>();
    await visit.page.route("**/api/sign-in", async (route) => {
      await signIn.promise;
      await route.continue();
    });
    const balance = frame.evaluate(() => window.sportsbook.balance());
    await visit.untilAsked("signIn", "jwt-back-2");
    const giveBack = async (layout: "tile" | "sidebar") => {
      await visit.page.evaluate((layout) => window.renderer.updateOptions({ token: "jwt-back-2", layout }), layout);
      await visit.untilAsked("options", { layout });
    };
    await giveBack("tile");
    signIn.resolve();
    t.is(await balance, "97.50");
    await giveBack("sidebar");
    // What the frame says now comes after whatever it asked.
    await frame.evaluate(() => window.sportsbook.page.send("login"));
    await visit.untilCalled("onLogin");
    t.is((await visit.called("onTokenExpired")).length, 1);
    t.deepEqual(await visit.asked("session"), ["session of jwt-back", "session of jwt-back-2"]);
    await visit.page.evaluate(() => window.renderer.updateOptions({ token: null }));
    await visit.untilAsked("session", null);
    await visit.close();
  },
);

test.serial("a frame of another make that asks five times gets five answers of one call", async (t) => {
  stage.shown.set("sportsbook /own/", {
    html: `<!doctype html><script>
      window.replies = [];
      const send = (message) => parent.postMessage({ ns: "sb", v: 1, ...message }, "${stage.merchant}");
      addEventListener("message", ({ data }) => {
        if (data.name === "hello") send({ kind: "handshake", name: "ready", id: data.id, payload: { capabilities: ["options"] } });
        if (data.name === "options") for (let id = 1; id <= 5; id++) send({ kind: "event", name: "tokenExpired", id: String(id) });
        if (data.kind === "reply") replies.push([data.id, data.payload]);
        if (data.name === "refreshBalance") replies.push("it was not among the capabilities");
      });
    </script>`,
  });
  const visit = await stage.visit();
  await visit.page.evaluate(() => {
    window.callbacks.onTokenExpired = async () => {
      window.called.push(["onTokenExpired"]);
      await new Promise((resolve) => setTimeout(resolve, 200));
      return "jwt-for-all";
    };
  });
  await visit.initialize({ url: `${stage.sportsbook}/own`, token: "jwt-own" });
  const frame = await visit.sportsbook();
  await visit.page.evaluate(() => window.renderer.refreshBalance());
  await frame.waitForFunction(() => (window as unknown as { replies: unknown[] }).replies.length >= 5);
  t.deepEqual(
    await frame.evaluate(() => (window as unknown as { replies: unknown[] }).replies),
    ["1", "2", "3", "4", "5"].map((id) => [id, { token: "jwt-for-all" }]),
  );
  t.is((await visit.called("onTokenExpired")).length, 1);
  await visit.close();
});

const FAILURES = {
  "returns null": () => null,
  "returns nothing": () => undefined,
  "returns an empty text": () => "",
  "returns a number": () => 7,
  "returns a promise of null": () => Promise.resolve(null),
  throws: () => {
    throw new Error("no launch");
  },
  rejects: () => Promise.reject(new Error("no launch")),
};

test.serial("an onTokenExpired that brings no token makes a visitor, whose next login works", async (t) => {
  const visit = await stage.visit();
  await visit.initialize();
  const frame = await visit.started();
  for (const [what, onTokenExpired] of Object.entries(FAILURES)) {
    const token = `jwt-${what}`;
    visit.console.length = 0;
    await visit.page.evaluate(
      `window.renderer.updateOptions({ token: ${JSON.stringify(token)}, onTokenExpired: ${onTokenExpired} })`,
    );
    await visit.untilAsked("session", `session of ${token}`);
    stage.expireSessions();
    t.is(await frame.evaluate(() => window.sportsbook.balance()), null, what);
    t.is((await visit.asked("session")).at(-1), null, what);
    t.is((await visit.asked("signIn")).at(-1), token, what);
    t.is(
      visit.console.filter((line) => line.includes("onTokenExpired failed")).length,
      what === "throws" || what === "rejects" ? 1 : 0,
      what,
    );
  }
  await visit.close();
});

test.serial("onTokenExpired never answers: visitor after 15 s, and what comes later is ignored", async (t) => {
  const visit = await stage.visit("/", { clock: true });
  await visit.page.evaluate(() => {
    window.callbacks.onTokenExpired = () =>
      new Promise((resolve) => {
        window.called.push(["onTokenExpired"]);
        Object.assign(window, { answerLate: resolve });
      });
  });
  await visit.initialize({ token: "jwt-never" });
  const frame = await visit.started();
  stage.expireSessions();
  const balance = frame.evaluate(() => window.sportsbook.balance());
  await visit.untilCalled("onTokenExpired");
  await visit.page.clock.runFor(14_900);
  t.deepEqual(await visit.asked("session"), ["session of jwt-never"]);
  await visit.page.clock.runFor(200);
  t.is(await balance, null);
  await visit.page.evaluate(() => {
    (window as unknown as { answerLate: (token: string) => void }).answerLate("jwt-late");
    window.renderer.updateOptions({ layout: "tile" });
  });
  await visit.untilAsked("options", { layout: "tile" });
  t.deepEqual(await visit.asked("signIn"), ["jwt-never"]);
  await visit.close();
});

test.serial("the same used jwt again: one more question, then visitor", async (t) => {
  const visit = await stage.visit();
  await visit.page.evaluate(() => {
    window.callbacks.onTokenExpired = () => {
      window.called.push(["onTokenExpired"]);
      return "jwt-same";
    };
  });
  await visit.initialize({ token: "jwt-same" });
  const frame = await visit.started();
  stage.expireSessions();
  t.is(await frame.evaluate(() => window.sportsbook.balance()), null);
  t.is((await visit.called("onTokenExpired")).length, 2);
  await visit.close();
});

test.serial("a jwt that was used before the page was loaded again is renewed at the start", async (t) => {
  const before = await stage.visit();
  await before.initialize({ token: "jwt-reload" });
  await before.started();
  await before.close();
  const visit = await stage.visit();
  await visit.page.evaluate(() => {
    window.callbacks.onTokenExpired = () => {
      window.called.push(["onTokenExpired"]);
      return "jwt-reload-2";
    };
  });
  await visit.initialize({ token: "jwt-reload" });
  await visit.started();
  t.is((await visit.called("onTokenExpired")).length, 1);
  t.deepEqual(await visit.asked("session"), ["session of jwt-reload-2"]);
  await visit.close();
});

test.serial("with neither callback an expired session is a visitor's", async (t) => {
  const visit = await stage.visit();
  await visit.initialize({ token: "jwt-neither" });
  const frame = await visit.started();
  stage.expireSessions();
  t.is(await frame.evaluate(() => window.sportsbook.balance()), null);
  await visit.close();
});

test.serial("onSessionRefresh notifies once, and the next token goes on", async (t) => {
  const visit = await stage.visit();
  await visit.page.evaluate(() => {
    window.callbacks.onSessionRefresh = () => {
      window.called.push(["onSessionRefresh"]);
      setTimeout(() => window.renderer.updateOptions({ token: "jwt-refreshed" }), 20);
    };
  });
  await visit.initialize({ token: "jwt-refresh" });
  const frame = await visit.started();
  stage.expireSessions();
  t.deepEqual(await frame.evaluate(() => Promise.all([window.sportsbook.balance(), window.sportsbook.balance()])), [
    "97.50",
    "97.50",
  ]);
  t.is((await visit.called("onSessionRefresh")).length, 1);
  await visit.close();
});

test.serial("onSessionRefresh without a token within 15 s: visitor", async (t) => {
  const visit = await stage.visit("/", { clock: true });
  await visit.page.evaluate(() => {
    window.callbacks.onSessionRefresh = () => void window.called.push(["onSessionRefresh"]);
  });
  await visit.initialize({ token: "jwt-ignored" });
  const frame = await visit.started();
  stage.expireSessions();
  const balance = frame.evaluate(() => window.sportsbook.balance());
  await visit.untilCalled("onSessionRefresh");
  await visit.page.clock.runFor(14_900);
  t.deepEqual(await visit.asked("session"), ["session of jwt-ignored"]);
  await visit.page.clock.runFor(200);
  t.is(await balance, null);
  await visit.page.evaluate(() => window.renderer.updateOptions({ token: "jwt-after-all" }));
  await visit.untilAsked("session", "session of jwt-after-all");
  await visit.close();
});

test.serial("with both callbacks onTokenExpired alone is called", async (t) => {
  const visit = await stage.visit();
  await visit.page.evaluate(() => {
    window.callbacks.onSessionRefresh = () => void window.called.push(["onSessionRefresh"]);
    window.callbacks.onTokenExpired = () => "jwt-both-2";
  });
  await visit.initialize({ token: "jwt-both" });
  const frame = await visit.started();
  stage.expireSessions();
  t.is(await frame.evaluate(() => window.sportsbook.balance()), "97.50");
  t.deepEqual(await visit.called("onSessionRefresh"), []);
  await visit.close();
});

test.serial("a login, a logout, a kill and a new initialize each overtake a renewal under way", async (t) => {
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

test.serial("a renewal that outlives a reload of the frame brings its token to the new one", async (t) => {
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
  "after any mess of logins, logouts, expirations, reloads and kills, the last login is who plays",
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
