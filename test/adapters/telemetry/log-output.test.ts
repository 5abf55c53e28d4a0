import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import test, { type ExecutionContext } from "ava";
import { LogOutput } from "../../../src/adapters/telemetry/log-output.ts";

/** A pipe whose reader is this test. It reads only when it is asked to. */
function pipe(t: ExecutionContext): { readonly fd: number; readonly read: () => string } {
  const folder = mkdtempSync(join(tmpdir(), "pipe-"));
  const path = join(folder, "pipe");
  execFileSync("mkfifo", [path]);
  // Opened for both directions, so that it needs no other process.
  const fd = openSync(path, constants.O_RDWR);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  t.teardown(() => {
    closeSync(fd);
    closeSync(reader);
    rmSync(folder, { recursive: true });
  });
  const read = (): string => {
    const buffer = Buffer.alloc(1 << 20);
    try {
      return buffer.toString("utf8", 0, readSync(reader, buffer));
    } catch {
      return "";
    }
  };
  return { fd, read };
}

test("lines are written before write returns, in their order", (t) => {
  const { fd, read } = pipe(t);
  const output = new LogOutput(fd);
  output.write("one\n");
  output.write("dois é\n");
  t.is(read(), "one\ndois é\n");
  output.close();
});

test("a reader that stops reading makes no write wait; all lines come when it reads again", async (t) => {
  const { fd, read } = pipe(t);
  const output = new LogOutput(fd);
  const lines = Array.from({ length: 3_000 }, (_, i) => `${i} ${"x".repeat(100)}\n`);
  for (const line of lines) output.write(line);
  const whole = lines.join("");
  let got = "";
  while (got.length < whole.length) {
    got += read();
    await setTimeout(1);
  }
  t.is(got, whole);
  output.close();
});

test("a reader that never reads costs a limited memory, and one line says how many lines are lost", async (t) => {
  const { fd, read } = pipe(t);
  const output = new LogOutput(fd);
  const line = `${"x".repeat(9_999)}\n`;
  for (let i = 0; i < 1_000; i++) output.write(line);
  let got = "";
  while (!got.includes("lost")) {
    got += read();
    await setTimeout(1);
  }
  const written = got.split(line).length - 1;
  t.true(written > 400 && written < 450, `${written} lines of 10 000 bytes have waited`);
  const last = JSON.parse(got.trimEnd().split("\n").at(-1) ?? "");
  t.is(last.msg, `${1_000 - written} lines of the log are lost`);
  output.close();
});

test("a full disk throws nothing", async (t) => {
  const fd = openSync("/dev/full", "w");
  const output = new LogOutput(fd);
  for (let i = 0; i < 10; i++) output.write("line\n");
  await setTimeout(250);
  output.write("line\n");
  output.close();
  closeSync(fd);
  t.pass();
});

test("nobody can read the pipe any more: nothing is thrown or kept", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "pipe-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "pipe");
  execFileSync("mkfifo", [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const fd = openSync(path, constants.O_WRONLY);
  const output = new LogOutput(fd);
  closeSync(reader);
  output.write("line\n");
  output.write("line\n");
  output.close();
  closeSync(fd);
  t.pass();
});

test("standard output that is a socket, as systemd's journal is, makes no write wait either", async (t) => {
  const program = `
    import { standardOutput } from "./src/adapters/telemetry/log-output.ts";
    for (let i = 0; i < 3_000; i++) standardOutput.write("x".repeat(999) + "\\n");
    process.stderr.write("written");
    process.exit(0);`;
  // Node makes sockets for this, and this test does not read the first one.
  const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", program], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  t.teardown(() => child.kill("SIGKILL"));
  const [text] = await once(child.stderr, "data");
  t.is(String(text), "written");
  await once(child, "exit");
});
