import { post, request, SESSION } from "./call.ts";
import { failureOf } from "./failure.ts";

export const ROLES = ["viewer", "support", "manager", "owner"] as const;
export type Role = (typeof ROLES)[number];

export interface Session {
  /** The name of the admin key. */
  readonly name: string;
  readonly role: Role;
  /** RFC 3339. */
  readonly expiresAt: string;
}

/** Whether a key of `role` has the rights of `least`. Each role has all rights of the roles before it. */
export const mayAct = (role: Role, least: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(least);

/**
 * The session of this browser; null when nobody is signed in.
 *
 * @throws Failure
 */
export async function currentSession(): Promise<Session | null> {
  const { status, reply, errorCode } = await request(SESSION, {});
  if (status === 401) return null;
  if (status >= 300) throw failureOf(reply, errorCode);
  return reply as Session;
}

/**
 * Exchanges an admin key for a session.
 *
 * @throws Failure
 */
export const signIn = (key: string): Promise<Session> => post(SESSION, { key });

/**
 * Ends the session.
 *
 * @throws Failure
 */
export async function signOut(): Promise<void> {
  const { status, reply, errorCode } = await request(SESSION, { method: "DELETE" });
  if (status >= 300 && status !== 401) throw failureOf(reply, errorCode);
}
