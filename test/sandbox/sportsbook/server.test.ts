import test from "ava";
import { readSlip } from "../../../sandbox/sportsbook/slip-request.ts";
import { startSportsbook } from "../../../sandbox/sportsbook/sportsbook.ts";

/** In production, and with nobody where the service should be. */
async function start(t: { teardown(run: () => Promise<void>): void }): Promise<string> {
  const options = {
    serviceGrpc: "127.0.0.1:1",
    key: "none",
    host: "127.0.0.1",
    port: 0,
    seed: 7,
    running: false,
    development: false,
  };
  const sportsbook = await startSportsbook(options);
  t.teardown(() => sportsbook.close());
  return sportsbook.origin;
}

test("without the service there are matches to look at, nobody may frame the page, and what needs the service says so", async (t) => {
  const origin = await start(t);
  const board = (await (await fetch(`${origin}/api/board?selections=liga-do-sol-0:result:0:home,no-such`)).json()) as {
    events: object[];
    selections: object[];
  };
  t.is(board.events.length, 60);
  t.like(board.selections, [
    { id: "liga-do-sol-0:result:0:home", phase: "live" },
    { id: "no-such", odds: null },
  ]);
  const page = await fetch(`${origin}/en/?brand=casa-luna`);
  t.is(page.status, 200);
  t.true(page.headers.get("content-security-policy")?.endsWith("frame-ancestors 'none'"));
  t.deepEqual([page.headers.get("referrer-policy"), page.headers.get("set-cookie")], ["no-referrer", null]);
  t.is((await fetch(`${origin}/api/brand?brand=casa-luna`)).status, 503);
  t.is((await fetch(`${origin}/api/event?id=no-such`)).status, 404);
});

test("the levers of the sandbox are there in development only", async (t) => {
  const origin = await start(t);
  const post = (path: string) =>
    fetch(`${origin}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"event":"liga-do-sol-0","home":1,"away":0}',
    });
  t.deepEqual(
    await Promise.all(["finish", "odds", "expire"].map(async (lever) => (await post(`/control/${lever}`)).status)),
    [404, 404, 404],
  );
});

test("the library comes with CORS for everyone, and its present version for ever", async (t) => {
  const origin = await start(t);
  const { versioned, integrity } = (await (await fetch(`${origin}/sb-renderer.integrity.json`)).json()) as {
    versioned: { url: string; integrity: string };
    integrity: string;
  };
  t.is(versioned.integrity, integrity);
  const [newest, version] = await Promise.all(
    ["sb-renderer.min.js", versioned.url].map((path) => fetch(`${origin}/${path}`)),
  );
  t.deepEqual(
    [newest?.headers.get("access-control-allow-origin"), version?.headers.get("access-control-allow-origin")],
    ["*", "*"],
  );
  t.regex(version?.headers.get("cache-control") ?? "", /immutable/);
  t.notRegex(newest?.headers.get("cache-control") ?? "", /immutable/);
  t.is(await newest?.text(), await version?.text());
  t.is((await fetch(`${origin}/sb-renderer/0.0.0/sb-renderer.min.js`)).status, 404);
});

test("a slip out of form is refused by the field", (t) => {
  const selection = { id: "liga-do-sol-0:result:0:home", odds: 185 };
  const slip = (bet: object) => () => readSlip({ slip_id: "abcdefgh", accept: "better", bets: [bet] });
  t.is(
    readSlip({ slip_id: "abcdefgh", accept: "ask", bets: [{ stake_minor: 100, selections: [selection] }] }).bets[0]
      ?.stakeMinor,
    100n,
  );
  for (const [bet, field] of [
    [{ stake_minor: 0, selections: [selection] }, "stake_minor"],
    [{ stake_minor: 1.5, selections: [selection] }, "stake_minor"],
    [{ stake_minor: 100, selections: [] }, "selections"],
    [{ stake_minor: 100, selections: [{ ...selection, odds: 100 }] }, "odds"],
    [{ stake_minor: 100, selections: [{ ...selection, id: "x" }] }, "selection"],
    [{ stake_minor: 100, selections: [selection, { ...selection, id: "liga-do-sol-0:total:10:over" }] }, "selections"],
  ] as const) {
    t.throws(slip(bet), { message: `${field} is missing or wrong.` });
  }
  t.throws(() => readSlip({ slip_id: "short", bets: [] }), { message: /slip_id/ });
  t.throws(() => readSlip({ slip_id: "abcdefgh", accept: "all", bets: [] }), { message: /accept/ });
});
