import type { ServiceError } from "@grpc/grpc-js";

/**
 * The refusals by which a service says that it cannot serve now. Other processes use the machine of a test, so any call
 * may get them. The service did nothing then, so the same call may be made again.
 */
export const TRANSIENT: ReadonlySet<string> = new Set(["OVERLOADED", "SERVICE_UNAVAILABLE"]);

const PAUSE_MS = 100;
const TRIES_MAX = 200;

/** Makes a call until its refusal is not {@link TRANSIENT}, at most 200 times. `codeOf` returns the refusal's code. */
export async function repeated<Reply>(
  call: () => Promise<Reply>,
  codeOf: (reply: Reply) => string | undefined,
): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    const reply = await call();
    if (!TRANSIENT.has(codeOf(reply) ?? "") || tries === TRIES_MAX) return reply;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** The same for a call by gRPC, which throws its refusal. */
export async function patiently<Reply>(call: () => Promise<Reply>): Promise<Reply> {
  const ended = await repeated(
    () =>
      call().then(
        (reply) => ({ ok: true, reply }) as const,
        (error: ServiceError) => ({ ok: false, error }) as const,
      ),
    (end) => (end.ok ? undefined : String(end.error.metadata?.get("error-code")[0])),
  );
  if (ended.ok) return ended.reply;
  throw ended.error;
}
