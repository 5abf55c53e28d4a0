import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readlink } from "node:fs/promises";
import { promisify } from "node:util";
import { within } from "./cluster.ts";

const run = promisify(execFile);
const SETPRIV = "/usr/bin/setpriv";
const READY_WITHIN_MS = 10_000;

/**
 * A network of its own for each place, with one address, and a switch that connects them. They are namespaces of Linux:
 * nothing else on the machine can see them, and they vanish with this process. It needs root.
 */
export class Network {
  readonly #hub: ChildProcess;
  readonly #places: readonly ChildProcess[];

  private constructor(hub: ChildProcess, places: readonly ChildProcess[]) {
    this.#hub = hub;
    this.#places = places;
  }

  static async open(size: number): Promise<Network> {
    const network = new Network(
      holder(),
      Array.from({ length: size }, () => holder()),
    );
    try {
      await network.#connectAll();
      return network;
    } catch (cause) {
      network.close();
      throw new Error("no network namespaces can be made here: please run this as root, on Linux", { cause });
    }
  }

  /** The address of a place for the others. */
  host(place: number): string {
    return `10.77.0.${place + 1}`;
  }

  /** The words before a command that run it in a place. Sockets in the file system work across places. */
  within(place: number): readonly [string, ...string[]] {
    return ["nsenter", `--net=/proc/${this.#places[place]?.pid}/ns/net`];
  }

  /** Pulls the cable of a place. Its connections stay open, and everything sent on them is lost. */
  async disconnect(place: number): Promise<void> {
    await inside(this.#hub, "link", "set", `port${place}`, "down");
  }

  async connect(place: number): Promise<void> {
    await inside(this.#hub, "link", "set", `port${place}`, "up");
  }

  close(): void {
    for (const one of [this.#hub, ...this.#places]) one.kill("SIGKILL");
  }

  async #connectAll(): Promise<void> {
    for (const one of [this.#hub, ...this.#places]) await within(READY_WITHIN_MS, "no own network", () => isApart(one));
    await inside(this.#hub, "link", "add", "hub", "type", "bridge");
    await inside(this.#hub, "link", "set", "hub", "up");
    for (const [i, place] of this.#places.entries()) {
      const cable = ["type", "veth", "peer", "name", "cable", "netns", String(place.pid)];
      await inside(this.#hub, "link", "add", `port${i}`, ...cable);
      await inside(this.#hub, "link", "set", `port${i}`, "master", "hub", "up");
      await inside(place, "address", "add", `${this.host(i)}/24`, "dev", "cable");
      for (const device of ["lo", "cable"]) await inside(place, "link", "set", device, "up");
    }
  }
}

/** A process that does nothing but keep a network alive. It ends with this process. */
const holder = (): ChildProcess =>
  spawn(SETPRIV, ["--pdeathsig", "KILL", "unshare", "--net", "sleep", "infinity"], { stdio: "ignore" });

const inside = (place: ChildProcess, ...args: readonly string[]) =>
  run("nsenter", [`--net=/proc/${place.pid}/ns/net`, "ip", ...args]);

async function isApart({ pid, exitCode }: ChildProcess): Promise<boolean> {
  if (exitCode !== null) throw new Error(`unshare ended with ${exitCode}`);
  return (await readlink(`/proc/${pid}/ns/net`)) !== (await readlink("/proc/self/ns/net"));
}
