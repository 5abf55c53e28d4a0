/** TLS of the two public ports, with settings like those of the aggregator. */
import { readFileSync } from "node:fs";
import type { SecureServerOptions } from "node:http2";
import { type Settings, SettingsError, type Variable } from "../settings.ts";

const pemFile = (meaning: string): Variable<string> => ({
  parse: (path) => {
    try {
      const pem = readFileSync(path, "utf8");
      return pem.includes("-----BEGIN ") ? pem : undefined;
    } catch {
      return undefined;
    }
  },
  form: "the path of a PEM file that can be read",
  example: "/etc/connector/tls.pem",
  meaning,
  standard: "",
});

export const TLS_VARIABLES = {
  HTTP_TLS_CERT: pemFile("The certificate of the wallet API's port; without it the port has no TLS"),
  HTTP_TLS_KEY: pemFile("The key of that certificate"),
  GRPC_TLS_CERT: pemFile("The certificate of GameService's port; without it the port has no TLS"),
  GRPC_TLS_KEY: pemFile("The key of that certificate"),
  GRPC_TLS_CLIENT_CA: pemFile("The authority that must have signed the certificate of GameService's callers"),
};

/** The options of a port; undefined: it has no TLS. @throws SettingsError if only a part is set. */
export function tlsOf(
  settings: Settings<typeof TLS_VARIABLES>,
  port: "HTTP" | "GRPC",
): Pick<SecureServerOptions, "cert" | "key" | "ca" | "requestCert"> | undefined {
  const { [`${port}_TLS_CERT` as const]: cert, [`${port}_TLS_KEY` as const]: key } = settings;
  const ca = port === "GRPC" ? settings.GRPC_TLS_CLIENT_CA : "";
  if (cert === "" && key === "" && ca === "") return undefined;
  if (cert === "" || key === "")
    throw new SettingsError(
      `${port}_TLS_${cert === "" ? "CERT" : "KEY"} is missing: set ${port}_TLS_CERT and ${port}_TLS_KEY together`,
    );
  return { cert, key, ...(ca !== "" && { ca, requestCert: true }) };
}
