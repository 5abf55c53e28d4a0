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
  // Frameworks repeat the call with the same token on every change of any option.
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

test.serial(
  "if five requests find the session expired, the merchant is asked once for a token, and for a late sixth request not at all",
  async (t) => {
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
    // A token that a framework still has from an earlier login is not a new login.
    await visit.page.evaluate(() => window.renderer.updateOptions({ token: "jwt-five" }));
    // The next expiration requests a new token.
    stage.expireSessions();
    t.is(await frame.evaluate(() => window.sportsbook.balance()), null);
    t.is((await visit.called("onTokenExpired")).length, 3);
    t.deepEqual(await visit.asked("signIn"), ["jwt-five", "jwt-five-renewed"]);
    await visit.close();
  },
);

test.serial(
  "if the page also sets the token of a renewal as an option, this is not a login, during the sign-in and afterwards",
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
    // This message of the frame arrives after all its earlier requests.
    await frame.evaluate(() => window.sportsbook.page.send("login"));
    await visit.untilCalled("onLogin");
    t.is((await visit.called("onTokenExpired")).length, 1);
    t.deepEqual(await visit.asked("session"), ["session of jwt-back", "session of jwt-back-2"]);
    await visit.page.evaluate(() => window.renderer.updateOptions({ token: null }));
    await visit.untilAsked("session", null);
    await visit.close();
  },
);

test.serial(
  "a frame that does not use this library requests five tokens at once: it gets five replies, and the merchant's page is asked once",
  async (t) => {
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
  },
);

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

test.serial("if onTokenExpired returns no token, the player is a visitor and can log in later", async (t) => {
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

test.serial(
  "if onTokenExpired does not answer for 15 s, the player is a visitor, and a later answer is ignored",
  async (t) => {
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
  },
);

test.serial(
  "if the merchant sends the same used jwt again, it is asked once more, and then the player is a visitor",
  async (t) => {
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
  },
);

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

test.serial(
  "without onTokenExpired and onSessionRefresh, the player becomes a visitor when the session expires",
  async (t) => {
    const visit = await stage.visit();
    await visit.initialize({ token: "jwt-neither" });
    const frame = await visit.started();
    stage.expireSessions();
    t.is(await frame.evaluate(() => window.sportsbook.balance()), null);
    await visit.close();
  },
);

test.serial(
  "for an expired session onSessionRefresh is called once, and the next token signs the player in",
  async (t) => {
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
  },
);

test.serial("if no token comes within 15 s after onSessionRefresh, the player is a visitor", async (t) => {
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

test.serial("if onTokenExpired and onSessionRefresh are both set, only onTokenExpired is called", async (t) => {
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
