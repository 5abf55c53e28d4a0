import { readdirSync, readlinkSync } from "node:fs";
import test from "ava";
import { Spool } from "../../../../src/adapters/sql/reports/spool.ts";
import { StoreUnavailable } from "../../../../src/ports/store-unavailable.ts";

/** The number of spool files that this process has open. */
const openFiles = (): number =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes("aggregator-report-");
    } catch {
      return false;
    }
  }).length;

const pageOf = (n: number, size: number): string[] =>
  Array.from({ length: size }, (_, i) => `página ${n} ${i} ${"x".repeat(100)}`);

test.serial("a short report stays in memory, and its pages can be read", async (t) => {
  const spool = new Spool<string>();
  const pages = [pageOf(1, 3), [], pageOf(2, 1)];
  for (const page of pages) await spool.add(page);
  t.is(openFiles(), 0);
  t.deepEqual(await Array.fromAsync(spool.read()), pages);
});

test.serial("a long report is refused with StoreUnavailable if its file can't be written", async (t) => {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = "/proc/nowhere";
  try {
    const spool = new Spool<string>();
    await t.notThrowsAsync(spool.add(pageOf(1, 10)));
    await t.throwsAsync(spool.add(pageOf(2, 20_000)), { instanceOf: StoreUnavailable });
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
});

test.serial(
  "a long report is written to a file, which is closed when the report was read or its reader stops",
  async (t) => {
    const pages = Array.from({ length: 40 }, (_, n) => pageOf(n, 500));
    const filled = async () => {
      const spool = new Spool<string>();
      for (const page of pages) await spool.add(page);
      return spool;
    };
    const complete = await filled();
    t.is(openFiles(), 1);
    t.deepEqual(await Array.fromAsync(complete.read()), pages);
    t.is(openFiles(), 0);

    const left = await filled();
    for await (const page of left.read()) {
      t.deepEqual(page, pages[0]);
      break;
    }
    t.is(openFiles(), 0);
  },
);
