/** The drivers that make the game play: the provider's hook, or a person at the terminal. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import test, { type ExecutionContext } from "ava";
import { newPlayer, Session } from "../../../certify/provider/aggregator/session.ts";
import { Guide } from "../../../certify/provider/drive/guide.ts";
import { Hook } from "../../../certify/provider/drive/hook.ts";

const session = new Session(newPlayer(), "book-of-x", "CLP", false, {});
const spin = { case: "bets/pending", session, launchUrl: "https://games.example/?t=1", until: "bet" } as const;

/** A hook with this answer, and the requests that it got. */
async function hook(t: ExecutionContext, status: number, reply: string) {
  const sent: string[] = [];
  const server = createServer(async (request, response) => {
    for await (const chunk of request) sent.push(`${request.headers["content-type"]} ${chunk}`);
    response.writeHead(status).end(reply);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => server.close());
  return { sent, hook: new Hook(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/spin`), 8, 5_000) };
}

test("the hook gets the session as JSON, and the command reads the hook's answer", async (t) => {
  const right = await hook(t, 200, '{"shown":"waiting","bet_minor":100,"win_minor":0,"more":1}');
  t.deepEqual(await right.hook.spin(spin), { shown: "waiting", betMinor: 100n, winMinor: 0n });
  const [type, ...body] = (right.sent[0] ?? "").split(" ");
  t.is(type, "application/json");
  t.deepEqual(JSON.parse(body.join(" ")), {
    case: "bets/pending",
    session_id: session.id,
    player_ref: session.player.ref,
    launch_url: spin.launchUrl,
    game: "book-of-x",
    currency: "CLP",
    demo: false,
  });
  t.deepEqual(await (await hook(t, 202, "")).hook.spin(spin), {});
});

test("an invalid answer of the hook leads to an error that names the fault", async (t) => {
  const answers = async (status: number, reply: string, message: RegExp): Promise<void> => {
    await t.throwsAsync((await hook(t, status, reply)).hook.spin(spin), { message });
  };
  await answers(500, "broken", /answered HTTP 500 broken/);
  await answers(200, "<html>", /with no JSON: <html>/);

  await answers(200, '{"shown":"won"}', /`shown` that is none of played, waiting and refused/);
  await answers(200, '{"bet_minor":2.5}', /`bet_minor` that is not a whole number/);
});

test("the tester gets instructions and is asked what the game shows", async (t) => {
  let output = "";
  const answers = new PassThrough();
  const guide = new Guide((text) => {
    output += text;
  }, answers);
  await guide.spin(spin);
  t.regex(
    output,
    /bets\/pending\n {2}1\. Open this address:\n {5}https:\/\/games\.example\/\?t=1\n {2}2\. Press Spin once/,
  );
  await guide.spin({ ...spin, until: "win" });
  t.regex(output, /Press Spin until a round wins/);
  for (const [typed, shown] of [
    ["w", "waiting"],
    ["P", "played"],
    [" r ", "refused"],
  ] as const) {
    const look = guide.look();
    answers.write(`${typed}\n`);
    t.deepEqual(await look, { shown });
  }
  const unsure = guide.look();
  answers.write("\n");
  t.deepEqual(await unsure, {});
  t.deepEqual(await new Guide(() => {}, undefined).look(), {});
});
