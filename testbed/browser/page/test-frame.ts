/** A minimal sportsbook: the frame's side of the protocol, and a record of every call to it. */
import { connectToPage, takeLaunchToken } from "../../../web-renderer/frame.ts";

interface Session {
  readonly id: string;
}

/** The calls, oldest first: name, then arguments. */
const calls: unknown[][] = [];
const note = (...call: unknown[]): void => void calls.push(call);

const page = connectToPage<Session>(
  {
    async signIn(token) {
      note("signIn", token);
      const response = await fetch("/api/sign-in", { method: "POST", body: token });
      return response.ok ? { id: await response.text() } : undefined;
    },
    onSession: (session) => note("session", session?.id ?? null),
    onOptions: (options) => note("options", options),
    onNavigate: (path) => {
      note("navigate", path);
      page.send("routeChange", { path });
    },
    onRefreshBalance: () => note("refreshBalance"),
  },
  { allowedOrigins: JSON.parse(document.documentElement.dataset.origins ?? "[]"), token: takeLaunchToken() },
);

/**
 * Makes a request like a real sportsbook: after a refusal it gets a new session and repeats the request. Returns null
 * for a visitor.
 */
async function balance(): Promise<string | null> {
  for (let session = page.session; session !== undefined; ) {
    const response = await fetch("/api/balance", { headers: { session: session.id } });
    if (response.status !== 401) return ((await response.json()).amount / 100).toFixed(2);
    session = await page.renew(session);
  }
  return null;
}

const sportsbook = { calls, page, balance };
export type TestSportsbook = typeof sportsbook;
Object.assign(window, { sportsbook });

void page.started.then((how) => {
  note("started", how);
  page.send("appInitialized");
});
