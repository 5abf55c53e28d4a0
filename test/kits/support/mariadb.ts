/** A MariaDB for a kit's own tests. */
import test from "ava";
import { startDatabaseServer } from "../../../testbed/database/server.ts";
import { isInstalled } from "./toolchain.ts";

let stop: (() => Promise<void>) | undefined;
test.after.always(() => stop?.());

/** An empty database until the end of the test file; undefined where MariaDB is not installed. */
export async function emptyMariaDb(): Promise<{ url: string; name: string; socket: string } | undefined> {
  if (!isInstalled("mariadbd")) return undefined;
  const server = await startDatabaseServer();
  stop = () => server.stop();
  const url = await server.createDatabase("kit");
  return { url, name: "kit", socket: new URL(url).searchParams.get("socketPath") ?? "" };
}
