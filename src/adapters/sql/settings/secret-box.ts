import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
// Without this option Node accepts tags that are shortened to 4 bytes.
const OPTIONS = { authTagLength: TAG_BYTES };

/**
 * Encrypts secrets for storage: AES-256-GCM with a key that is not in the database. Each secret is bound to its
 * `context` (merchant and version). So the stored text of one merchant can't be decrypted in another merchant's row.
 */
export class SecretBox {
  readonly #keys: readonly Uint8Array[];

  /** @param keys - 32 bytes each. The first key encrypts. All keys are tried to decrypt. */
  constructor(keys: readonly Uint8Array[]) {
    if (keys.length === 0 || keys.some((key) => key.byteLength !== 32))
      throw new Error("a secret box needs keys of 32 bytes");
    this.#keys = keys;
  }

  /** Encrypts a secret. Returns base64 of IV, tag and ciphertext. */
  seal(secret: string, context: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#keys[0] as Uint8Array, iv, OPTIONS).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64");
  }

  /** Encrypts the secret with the first key. `undefined`: this key encrypts it already. */
  reseal(sealed: string, context: string): string | undefined {
    const current = openWith(this.#keys[0] as Uint8Array, Buffer.from(sealed, "base64"), context);
    return current === undefined ? this.seal(this.open(sealed, context), context) : undefined;
  }

  /** @throws Error if no key decrypts the text, or if it was encrypted in another context. */
  open(sealed: string, context: string): string {
    const bytes = Buffer.from(sealed, "base64");
    for (const key of this.#keys) {
      const secret = openWith(key, bytes, context);
      if (secret !== undefined) return secret;
    }
    throw new Error("no key of MASTER_KEY opens this secret");
  }
}

function openWith(key: Uint8Array, bytes: Buffer, context: string): string | undefined {
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), OPTIONS).setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
