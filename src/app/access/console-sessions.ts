import { createHash } from "node:crypto";
import type { Role } from "../../domain/access/role.ts";
import { ok, type Result, refuse } from "../../domain/errors.ts";
import type { AdminStore } from "../../ports/admin-store.ts";
import type { ConsoleSessionStore } from "../../ports/console-sessions.ts";
import type { Random } from "../../ports/random.ts";
import type { WrongKeys } from "../capacity/wrong-keys.ts";
import type { Settings } from "../runtime/settings.ts";
import type { AdminKeys, HeldKey } from "./admin-keys.ts";

/** A person who is signed in to the console. */
export interface SignedIn {
  /** The admin key's name. */
  readonly name: string;
  readonly role: Role;
  /** The latest time at which the session ends, in ms since 1970. */
  readonly expiresAt: number;
}

export interface NewSession extends SignedIn {
  /** The session's id. Only the browser keeps it. */
  readonly id: string;
}

/**
 * Exchanges an admin key for a session of the console. A session has the rights of its key, and ends with it. Sessions
 * are stored in the database and not in a signed token. A token could not be ended at once, and could not end after a
 * time without calls. Every replica reads the stored sessions, so a session works on every replica.
 */
export class ConsoleSessions {
  readonly #keys: AdminKeys;
  readonly #store: ConsoleSessionStore;
  readonly #audit: Pick<AdminStore, "record">;
  readonly #settings: Pick<Settings, "ensureFresh">;
  readonly #wrongKeys: WrongKeys;
  readonly #random: Random;

  constructor(
    keys: AdminKeys,
    store: ConsoleSessionStore,
    audit: Pick<AdminStore, "record">,
    settings: Pick<Settings, "ensureFresh">,
    wrongKeys: WrongKeys,
    random: Random,
  ) {
    this.#keys = keys;
    this.#store = store;
    this.#audit = audit;
    this.#settings = settings;
    this.#wrongKeys = wrongKeys;
    this.#random = random;
  }

  /**
   * Opens a session for a key. Refusals: INVALID_API_KEY (RATE_LIMITED after too many wrong keys from one address),
   * SERVICE_UNAVAILABLE. Throws StoreUnavailable.
   *
   * @param address - the caller's address, by which wrong keys are counted.
   */
  async signIn(keyText: string, address: string): Promise<Result<NewSession>> {
    if (!(await this.#settings.ensureFresh())) return refuse("SERVICE_UNAVAILABLE");
    const key = await this.#keys.find(keyText);
    if (key === undefined) return this.#wrongKeys.refuse("admin", address);
    const id = Buffer.from(this.#random.token() + this.#random.token(), "hex").toString("base64url");
    await this.#record(key.name, "console sign-in");
    const endsAt = await this.#store.open({ idHash: hashOf(id), keyHash: key.hash, role: key.role });
    return ok({ id, ...signedIn(key, endsAt) });
  }

  /**
   * The person who is signed in with this session. Undefined: nobody. The session has ended, or its key is no longer
   * valid or has another role. Refusal: SERVICE_UNAVAILABLE. Throws StoreUnavailable.
   */
  async find(id: string): Promise<Result<SignedIn | undefined>> {
    if (!isSessionId(id)) return ok(undefined);
    if (!(await this.#settings.ensureFresh())) return refuse("SERVICE_UNAVAILABLE");
    const session = await this.#store.use(hashOf(id));
    const key = session && this.#keys.byHash(session.keyHash);
    return ok(key !== undefined && key.role === session?.role ? signedIn(key, session.expiresAt) : undefined);
  }

  /** Ends a session. An unknown id is not an error. Throws StoreUnavailable. */
  async signOut(id: string): Promise<void> {
    const found = await this.find(id);
    if (!(isSessionId(id) && (await this.#store.close(hashOf(id))))) return;
    if (found.ok && found.value !== undefined) await this.#record(found.value.name, "console sign-out");
  }

  #record(name: string, action: string): Promise<void> {
    return this.#audit.record({ actor: name, action, target: `key ${name}`, reason: null, changes: [] });
  }
}

const signedIn = ({ name, role, expiresAt }: HeldKey, endsAt: number): SignedIn => ({
  name,
  role,
  expiresAt: expiresAt === null ? endsAt : Math.min(endsAt, expiresAt),
});
const isSessionId = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);
const hashOf = (id: string): string => createHash("sha256").update(id).digest("hex");
