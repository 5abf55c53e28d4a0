export const ping = {
  title: "Ask the wallet",
  lead: "One signed balance query for a player. It moves no money. The audit log records it.",
  act: "Ask",
  asking: "Asking",
  ok: "The wallet works",
  notOk: "The wallet can't be used",
  balance: "Balance",
  took: "Took",
};

export const walletChange = {
  changed: (at: string, actor: string, from: string, to: string) =>
    `Changed on ${at} by ${actor}, from ${from} to ${to}.`,
  nothing: "nothing",
  never: "Never changed since the merchant was created.",
  entry: "Entry in the audit log",
};

export const rotation = {
  title: "Secret",
  one: "One secret is valid.",
  both: (time: string) => `Two secrets are valid until ${time}. Then only the new one is valid.`,
  rotate: "Make a new secret",
  finish: "End the old secret now",
  cancel: "Take the new secret back",
  overlap: "Both secrets are valid for",
  atOnce: "No time: the old one ends now",
  hours: (many: number) => (many % 24 === 0 ? `${many / 24} d` : `${many} h`),
  effect: {
    rotate: "Both secrets are valid meanwhile, and callbacks carry both signatures. No call is refused.",
    atOnce:
      "The old secret ends within a second. Until the merchant has changed, its calls are refused, and its wallet may reject bets for good.",
    finish: "Within a second only the new secret is valid. Do it when all servers of the merchant use it.",
    cancel: "Within a second only the old secret is valid. Do it while no server of the merchant uses the new one.",
  },
  rotated: "The new secret is made.",
  ended: { finish: "Only the new secret is valid.", cancel: "Only the old secret is valid." },
  secretTitle: "The new secret",
  secretText: "Copy it now and give it to the merchant. Nobody can read it again.",
};

export const keys = {
  title: "Keys and roles",
  lead: "Make a key for each person and program. The audit log has the names of the keys.",
  none: "No key yet",
  noneText: "Only the first key, ADMIN_KEY of the service, is in use.",
  name: "Name",
  nameHint: "1 to 64 letters, digits, dots, _ and -",
  holder: "Belongs to",
  admin: "Administration",
  role: "Role",
  state: "State",
  states: { valid: "Valid", expired: "Expired", revoked: "Revoked" },
  expires: "Ends on",
  expiresHint: "Empty: it does not expire",
  never: "never",
  act: "Change",
  create: "Make an admin key",
  made: "The new key",
  madeText: "Copy it now and give it to its holder. Nobody can read it again.",
  revoke: "Revoke",
  revokeOne: (name: string) => `Revoke the key ${name}`,
  revoked: (name: string) => `The key ${name} is revoked.`,
  revokeEffect: "The key and its sessions end on every replica within a second, for ever.",
  roles: "What each role may do",
  rights: {
    viewer: "Sees brands, merchants, providers, games and reports.",
    support: "Also sees transactions and reports by player, sends credits again, and asks wallets.",
    manager: "Also changes settings, closes transactions, and sees keys and the audit log.",
    owner: "Also makes and revokes admin keys.",
  },
};
