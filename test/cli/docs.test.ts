/** The commands of the pages, run in their order against a fresh service. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import test from "ava";
import { WalletService } from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { GrpcCaller } from "../../testbed/callers/grpc-caller.ts";
import { signedCall } from "../../testbed/callers/signed-call.ts";
import { checkout, page } from "../docs/markdown.ts";
import { ADMIN_KEY, startAdministered } from "./service.ts";

const bash = promisify(execFile);

/** The blocks of shell commands in a text. */
const blocks = (text: string): string[] => [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code = ""]) => code);

test("the commands of docs/getting-started.md lead from an empty service to a launched game, through a source that works", async (t) => {
  const service = await startAdministered(t);
  const [start = "", ...steps] = blocks(page("docs/getting-started.md"));
  t.is(start, `SANDBOX_ADMIN_KEY=${ADMIN_KEY} npm start\n`);
  t.true(steps.length >= 4);

  let printed = "";
  for (const step of steps) {
    const [secret = "sk_..."] = /sk_[\w-]{43}/.exec(printed) ?? [];
    // The test replaces the parts that differ from a reader's machine: the game server, the merchant API, the folder
    // for files. It fills in the secret, which a reader would copy.
    const code = step
      .replaceAll("127.0.0.1:3002", `127.0.0.1:${service.games.port}`)
      .replaceAll("127.0.0.1:8080", `127.0.0.1:${service.service.ports.rest}`)
      .replaceAll("/tmp/", `${service.folder}/`)
      .replaceAll("sk_...", secret);
    const { stdout } = await bash("bash", ["-e", "-c", code], {
      env: { ...process.env, ADMIN_KEY, ADMIN_URL: service.url },
    });
    printed += stdout;
  }
  t.is(printed.match(/^secret {2}sk_[\w-]{43}$/gm)?.length, 2);
  t.is(printed.match(/^key {2}[\w-]{43}$/gm)?.length, 1);
  t.regex(printed, /Done: 2 new, 0 changed, 0 as they were\./);
  const reply = JSON.parse(printed.trimEnd().split("\n").at(-1) ?? "");
  t.like(reply, { success: true, data: { game: "solar-crown", provider: "ACME", demo: true } });
  t.is(service.games.opened.length, 1);
  t.is(reply.data.launch_url, `https://games.example/solar-crown?s=${service.games.opened[0]?.sessionId}`);

  const { items } = await service.done("merchant list --brand shop");
  t.like(items, [
    { code: "shop-brl", currency: "BRL" },
    { code: "shop-clp", currency: "CLP" },
  ]);
});

test("every command of docs/admin.md works, in the order of the page", async (t) => {
  const service = await startAdministered(t, {
    RESEND_HORIZON_HOURS: "0.0001",
    WALLET_TIMEOUT_MS: "300",
    REFUND_QUIET_PERIOD_MS: "0",
  });
  const folder = checkout(t, "docs/admin.md");
  const lines = blocks(page("docs/admin.md")).flatMap((block) => block.trimEnd().split("\n"));
  t.true(lines.length > 45);
  let [secret, key] = ["", ""];
  for (const line of lines) {
    const [, words = ""] = /^npm run (?:-s )?admin -- (.*)$/.exec(line) ?? [];
    t.not(words, "", line);
    if (words.startsWith("transaction list")) await makePending();
    // Waits for longer than the time in which this service resends by itself.
    if (words.startsWith("transaction resolve")) await new Promise((resolve) => setTimeout(resolve, 1_000));
    const { code, out, err } = await service.admin(words.replace("--file ", `--file ${join(folder, "/")}`));
    t.is(code, 0, `${line}\n${err}`);
    if (words.startsWith("merchant create --code shop-brl") || words.startsWith("merchant rotate-secret"))
      [secret = secret] = /sk_[\w-]{43}/.exec(out) ?? [];
    if (words.startsWith("provider rotate-key --code ACME")) [, key = ""] = /^key {2}(\S+)$/m.exec(out) ?? [];
  }

  /** The page's pending win: the merchant's wallet does not answer. */
  async function makePending(): Promise<void> {
    await service.done(`provider add-source --code ACME --address ${service.games.address} --position 1`);
    const merchant = { code: "shop-brl", secret };
    const opened = await signedCall(
      `http://127.0.0.1:${service.service.ports.rest}`,
      merchant,
      "POST",
      "/v1/game/launch",
      {
        player_id: "u-1",
        game: "fruits",
      },
    );
    t.like(opened, { ok: true });
    const request = {
      sessionId: service.games.opened.at(-1)?.sessionId ?? "",
      txId: "17",
      roundId: "r-77",
      amountMinor: 250n,
      currency: "BRL",
    };
    await new GrpcCaller(t, service.service.ports.grpc).call(WalletService.method.payWin, request, {
      keys: [key],
      deadline: Date.now() + 10_000,
    });
  }
});
