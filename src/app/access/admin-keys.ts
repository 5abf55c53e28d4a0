import { createHash, timingSafeEqual } from "node:crypto";
import { BOOTSTRAP_KEY } from "../../domain/access/api-key.ts";
import type { Role } from "../../domain/access/role.ts";
import type { AdminKey } from "../../ports/settings-store.ts";
import type { Settings } from "../runtime/settings.ts";

/** An admin key that is valid now. */
export interface HeldKey {
  readonly name: string;
  readonly role: Role;
  /** SHA-256 of the key, lowercase hex. */
  readonly hash: string;
  /** Milliseconds since 1970; null: the key never expires. */
  readonly expiresAt: number | null;
}

type Lookup = Pick<Settings, "adminKeyByHash" | "readForUnknown">;

/** The admin keys: those of the settings, and the key of ADMIN_KEY. */
export class AdminKeys {
  readonly #settings: Lookup;
  readonly #bootstrap: HeldKey | null;

  /** @param bootstrapKey - the key of ADMIN_KEY, whose role is owner; null: there is none. */
  constructor(settings: Lookup, bootstrapKey: string | null) {
    this.#settings = settings;
    this.#bootstrap =
      bootstrapKey === null
        ? null
        : { name: BOOTSTRAP_KEY, role: "owner", hash: hashOf(bootstrapKey), expiresAt: null };
  }

  /** The key with this text. If the text is unknown, the settings are read again, at most ten times a second. */
  async find(text: string): Promise<HeldKey | undefined> {
    const hash = hashOf(text);
    const known = this.byHash(hash);
    // The settings in memory may be older than the key.
    if (known === undefined) await this.#settings.readForUnknown();
    return known ?? this.byHash(hash);
  }

  /** Whether there is a key with this text, as far as is known now. */
  isKnown(text: string): boolean {
    return this.byHash(hashOf(text)) !== undefined;
  }

  /** The key with this hash, as far as is known now. */
  byHash(hash: string): HeldKey | undefined {
    if (this.#bootstrap !== null && areEqual(hash, this.#bootstrap.hash)) return this.#bootstrap;
    const key = this.#settings.adminKeyByHash(hash);
    return key && held(key);
  }
}

const held = ({ name, role, hash, expiresAt }: AdminKey): HeldKey => ({ name, role, hash, expiresAt });
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const areEqual = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
