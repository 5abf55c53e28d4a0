import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Role } from "../../domain/access/role.ts";
import { ok, type Result, refuse } from "../../domain/errors.ts";
import type { AdminStore } from "../../ports/admin-store.ts";
import type { ConsoleSessionStore } from "../../ports/console-sessions.ts";
import type { Random } from "../../ports/random.ts";
import type { WrongKeys } from "../capacity/wrong-keys.ts";
import type { Settings } from "../runtime/settings.ts";
import type { AdminKeys, HeldKey } from "./admin-keys.ts";

/** A session's id: random bytes, and a proof that this service has made them. */
const ID_BYTES = 32;
const RANDOM_BYTES = 20;

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
  readonly #secret: Uint8Array;

  /** @param secret - the secret of all replicas for the proofs in session ids. By default one of this process. */
  constructor(
    keys: AdminKeys,
    store: ConsoleSessionStore,
    audit: Pick<AdminStore, "record">,
    settings: Pick<Settings, "ensureFresh">,
    wrongKeys: WrongKeys,
    random: Random,
    secret: Uint8Array = Buffer.from(random.token() + random.token(), "hex"),
  ) {
    this.#keys = keys;
    this.#store = store;
    this.#audit = audit;
    this.#settings = settings;
    this.#wrongKeys = wrongKeys;
    this.#random = random;
    this.#secret = createHmac("sha256", secret).update("console-session").digest();
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
    const random = Buffer.from(this.#random.token() + this.#random.token(), "hex").subarray(0, RANDOM_BYTES);
    const id = Buffer.concat([random, this.#proofOf(random)]).toString("base64url");
    await this.#record(key.name, "console sign-in");
    const endsAt = await this.#store.open({ idHash: hashOf(id), keyHash: key.hash, role: key.role });
    return ok({ id, ...signedIn(key, endsAt) });
  }

  /**
   * The person who is signed in with this session. Undefined: nobody. The session has ended, or its key is no longer
   * valid or has another role. Refusal: SERVICE_UNAVAILABLE. Throws StoreUnavailable.
   */
  async find(id: string): Promise<Result<SignedIn | undefined>> {
    if (!this.isOwn(id)) return ok(undefined);
    if (!(await this.#settings.ensureFresh())) return refuse("SERVICE_UNAVAILABLE");
    const session = await this.#store.use(hashOf(id));
    const key = session && this.#keys.byHash(session.keyHash);
    return ok(key !== undefined && key.role === session?.role ? signedIn(key, session.expiresAt) : undefined);
  }

  /** Ends a session. An unknown id is not an error. Throws StoreUnavailable. */
  async signOut(id: string): Promise<void> {
    const found = await this.find(id);
    if (!(this.isOwn(id) && (await this.#store.close(hashOf(id))))) return;
    if (found.ok && found.value !== undefined) await this.#record(found.value.name, "console sign-out");
  }

  /**
   * Whether this service has made this session id. The session may have ended since. An id contains a proof, so an
   * invented id needs no query.
   */
  isOwn(id: string): boolean {
    const bytes = isSessionId(id) ? Buffer.from(id, "base64url") : undefined;
    return (
      bytes !== undefined &&
      timingSafeEqual(bytes.subarray(RANDOM_BYTES), this.#proofOf(bytes.subarray(0, RANDOM_BYTES)))
    );
  }

  /** Refuses a call with an invented session id. It counts like a call with a wrong key. */
  refuseInvented(address: string): Extract<Result<never>, { ok: false }> {
    return this.#wrongKeys.refuse("admin", address);
  }

  #proofOf(random: Buffer): Buffer {
    return createHmac("sha256", this.#secret)
      .update(random)
      .digest()
      .subarray(0, ID_BYTES - RANDOM_BYTES);
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
