/** Addresses of the network namespace in which names are rebound. */

/** An address that is public by every rule. In this namespace it belongs to this process. */
export const PUBLIC_ADDRESS = "198.41.0.4";
/** The host's own address, a neighbour's, and a cloud's metadata address. */
export const PRIVATE_ADDRESSES = ["127.0.0.1", "::1", "169.254.169.254", "10.0.0.1", "fd00::1"] as const;

/** The commands that add these addresses. `::1` and 127.0.0.1 exist already with the interface. */
export const NAMESPACE_COMMANDS = [
  "ip link set lo up",
  ...[PUBLIC_ADDRESS, "169.254.169.254", "10.0.0.1"].map((address) => `ip address add ${address}/32 dev lo`),
  "ip -6 address add fd00::1/128 dev lo",
].join(" && ");
