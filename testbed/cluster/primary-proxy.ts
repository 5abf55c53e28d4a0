import { type AddressInfo, createConnection, createServer, type Server, type Socket } from "node:net";
import { RootConnection } from "../database/root-connection.ts";

const POLL_MS = 200;
const ANSWERS_WITHIN_MS = 1_000;

/** A member is the primary if it says so and sees a majority of its group. */
const IS_PRIMARY = `
  SELECT SUM(MEMBER_ID = @@server_uuid AND MEMBER_ROLE = 'PRIMARY' AND MEMBER_STATE = 'ONLINE') = 1
     AND SUM(MEMBER_STATE = 'UNREACHABLE') * 2 < COUNT(*) AS primary_here
    FROM performance_schema.replication_group_members`;

/**
 * A TCP proxy that leads every client to the primary of a group, as MySQL Router does. When another member becomes the
 * primary, the proxy closes the connections to the earlier one.
 */
export class PrimaryProxy {
  readonly #members: readonly { readonly socketPath: string; readonly root: RootConnection }[];
  readonly #server: Server;
  readonly #links = new Set<{ readonly to: string; end(): void }>();
  readonly #timer: NodeJS.Timeout;
  #primary: string | null = null;

  private constructor(socketPaths: readonly string[], server: Server) {
    this.#members = socketPaths.map((socketPath) => ({ socketPath, root: new RootConnection({ socketPath }) }));
    this.#server = server.on("connection", (client: Socket) => this.#link(client));
    this.#timer = setTimeout(() => this.#look(), POLL_MS);
  }

  static async start(socketPaths: readonly string[]): Promise<PrimaryProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new PrimaryProxy(socketPaths, server);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The path of the primary's socket; null: there is no primary now. */
  get primary(): string | null {
    return this.#primary;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#server.close();
    this.#follow(null);
    for (const { root } of this.#members) root.close();
  }

  async #look(): Promise<void> {
    const primaries = await Promise.all(
      this.#members.map(async ({ socketPath, root }) => {
        const [found] = await root.ask(IS_PRIMARY, ANSWERS_WITHIN_MS).catch(() => []);
        return Number(found?.primary_here) === 1 ? [socketPath] : [];
      }),
    );
    if (!this.#server.listening) return;
    // While an earlier primary has not noticed its exclusion yet, two members may say that they are the primary.
    const known = primaries.flat();
    this.#follow(known.find((one) => one !== this.#primary) ?? known[0] ?? null);
    this.#timer.refresh();
  }

  #follow(primary: string | null): void {
    this.#primary = primary;
    for (const link of this.#links) if (link.to !== primary) link.end();
  }

  #link(client: Socket): void {
    const to = this.#primary;
    if (to === null) return void client.destroy();
    const upstream = createConnection(to);
    const end = (): void => {
      this.#links.delete(link);
      client.destroy();
      upstream.destroy();
    };
    const link = { to, end };
    this.#links.add(link);
    for (const socket of [client.setNoDelay(true), upstream]) socket.on("error", end).on("close", end);
    client.pipe(upstream);
    upstream.pipe(client);
  }
}
