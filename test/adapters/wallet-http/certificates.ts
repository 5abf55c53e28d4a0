/**
 * X.509 certificates made by the tests (RFC 5280, with the necessary parts of DER). So the tests need no openssl, and
 * no certificate file can expire.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

export interface Authority {
  readonly pem: string;
  readonly name: string;
  readonly key: KeyObject;
}

export interface Leaf {
  readonly cert: string;
  readonly key: string;
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length =
    content.length < 128
      ? [content.length]
      : content.length < 256
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const time = (at: Date): Buffer => der(0x18, Buffer.from(at.toISOString().replace(/[-:T]|\.\d+/g, "")));
const commonName = (text: string): Buffer => sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(text)))));
const bits = (bytes: Buffer): Buffer => der(0x03, Buffer.from([0]), bytes);
const ECDSA_SHA256 = sequence(oid("2a8648ce3d040302"));
const DAY_MS = 86_400_000;

interface Wanted {
  readonly subject: string;
  readonly issuer: string;
  readonly issuerKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly extension: Buffer;
  /** Days from now. */
  readonly from: number;
  readonly to: number;
}

function certificate({ subject, issuer, issuerKey, publicKey, extension, from, to }: Wanted): string {
  const serial = der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const validity = sequence(time(new Date(Date.now() + from * DAY_MS)), time(new Date(Date.now() + to * DAY_MS)));
  const spki = publicKey.export({ type: "spki", format: "der" });
  const version3 = der(0xa0, der(0x02, Buffer.from([2])));
  const signed = sequence(
    version3,
    serial,
    ECDSA_SHA256,
    commonName(issuer),
    validity,
    commonName(subject),
    spki,
    der(0xa3, sequence(extension)),
  );
  const certificate = sequence(signed, ECDSA_SHA256, bits(sign("sha256", signed, issuerKey)));
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

function keys(): { publicKey: KeyObject; privateKey: KeyObject; pem: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { publicKey, privateKey: createPrivateKey(pem), pem };
}

/** A root certificate that may sign other certificates: basicConstraints, critical, CA true. */
export function makeAuthority(name: string): Authority {
  const { publicKey, privateKey } = keys();
  const extension = sequence(
    oid("551d13"),
    der(0x01, Buffer.from([255])),
    der(0x04, sequence(der(0x01, Buffer.from([255])))),
  );
  return {
    name,
    key: privateKey,
    pem: certificate({ subject: name, issuer: name, issuerKey: privateKey, publicKey, extension, from: -10, to: 10 }),
  };
}

/** A server's certificate for `host`, signed by the authority, or by itself. Valid now unless `expired`. */
export function makeLeaf(host: string, authority: Authority | null, expired = false): Leaf {
  const { publicKey, privateKey, pem } = keys();
  const extension = sequence(oid("551d11"), der(0x04, sequence(der(0x82, Buffer.from(host)))));
  const validity = expired ? { from: -5, to: -1 } : { from: -5, to: 5 };
  const cert = certificate({
    subject: host,
    issuer: authority?.name ?? host,
    issuerKey: authority?.key ?? privateKey,
    publicKey,
    extension,
    ...validity,
  });
  return { cert, key: pem };
}
