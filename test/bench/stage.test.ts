import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { readOptions } from "../../bench/options.ts";
import { Stage } from "../../bench/stage/stage.ts";
import { invent } from "../../testbed/directory/seed.ts";

test("if a database's CPU time cannot be read, a measurement ends with this error, and not with the load's end", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const bench = { options: readOptions([]), folder, log() {}, capacity: undefined, pinnedCapacity: undefined };
  const stage = await Stage.around(
    bench,
    // No process has the number 0.
    async () => ({ kind: "mariadb", pids: [0], create: async () => "", stop: async () => {} }),
    (origin) => invent([{ merchants: 1, sessionsEach: 1, walletUrl: `${origin}/wallet` }]),
  );
  const order = { kind: "closed", target: stage.target(undefined), concurrency: 1, warmUpMs: 0 } as const;
  await t.throwsAsync(stage.measure(undefined, { ...order, measureMs: 600_000 }), { code: "ENOENT" });
  // The load ends long before its window does. Nobody may wait for its end now.
  await stage.clear();
});
