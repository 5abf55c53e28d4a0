import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import test from "ava";
import { BetService } from "../../src/gen/aggregator/sportsbook/v1/bet_service_pb.ts";
import { OPENING_MINOR, startSportsbookWorld } from "../../testbed/stage/sportsbook-world.ts";
import { checkout, page, table } from "./markdown.ts";

const run = promisify(execFile);

test("docs/sportsbook.md's scripts exchange a token and place a slip with buf curl, and a repeat debits nothing", async (t) => {
  const world = await startSportsbookWorld(t);
  world.wallet.ledger.addPlayer("shop-brl", "ana", OPENING_MINOR);
  const folder = checkout(t, "docs/sportsbook.md");
  const TOKEN = (await world.launch()).searchParams.get("jwt") ?? "";
  const env = { ...process.env, KEY: world.key, ADDRESS: `http://127.0.0.1:${world.first.ports.grpc}` };
  /**
   * Runs a script. On a busy machine the service may refuse its call (OVERLOADED). Then the script is repeated, as the
   * page advises.
   */
  const sh = async (script: string, more: Record<string, string>): Promise<Record<string, unknown>> => {
    for (let tries = 1; ; tries++) {
      const ran = await run("sh", [join(folder, script)], { env: { ...env, ...more } }).catch(
        (failure: { stdout: string; stderr: string }) => failure,
      );
      if (tries === 20 || !/OVERLOADED|SERVICE_UNAVAILABLE/.test(ran.stdout + ran.stderr))
        return JSON.parse(ran.stdout);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  };
  const session = await sh("exchange.sh", { TOKEN });
  t.like(session, { merchant: "shop-brl", currency: "BRL", language: "pt" });
  const SESSION = String(session.sessionId);
  const documented: unknown = JSON.parse(
    /```json\n(\{\n {2}"status".*?)```/s.exec(page("docs/sportsbook.md"))?.[1] ?? "",
  );
  t.deepEqual(await sh("slip.sh", { SESSION }), documented as Record<string, unknown>);
  t.deepEqual(await sh("slip.sh", { SESSION }), documented as Record<string, unknown>);
  t.is(world.balanceOf("ana"), 9_650n);
});

test("docs/sportsbook.md names the fields of a slip's request", (t) => {
  const { placeBetslip } = BetService.method;
  const bet = placeBetslip.input.field.bets?.message;
  const fields = placeBetslip.input.fields.flatMap((field) =>
    field.name === "bets" ? (bet?.fields ?? []).map(({ name }) => `bets[].${name}`) : [field.name],
  );
  const documented = table(page("docs/sportsbook.md"), "4. Slips").map((row) => row.field);
  t.deepEqual(documented.sort(), fields.filter((name) => name !== "session_id").sort());
});
