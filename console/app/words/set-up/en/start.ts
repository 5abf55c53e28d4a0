export const newMerchant = {
  create: "Create a merchant",
  walletHint: "An https address. Without it the merchant can open only demos.",
  jurisdictionHint: "An ISO 3166 code, such as BR or AR-B. Providers are told it at each launch.",
  secret: "The merchant's secret",
  secretText: (code: string, api: string) =>
    `Give the merchant its code ${code}, this secret, and the address of the API, ${api}. Nobody can read the secret again.`,
};

export const start = {
  title: "First steps",
  lead: "From an empty installation to the first launch. Each step is stored at once, so you may stop and go on later.",
  brand: "Brand",
  merchant: "Merchant",
  provider: "Provider",
  source: "The provider's game server",
  games: "Games",
  launch: "First launch",
  done: "Done",
  isNext: "Next",
  later: "This step comes after the steps above.",
  gamesThere: (many: string) => `Games of this provider: ${many}`,
  gamesText: (code: string) => `A file with games of the provider ${code}.`,
  launchedAt: (time: string) => `The last launch that succeeded: ${time}`,
  launchText: (merchant: string) =>
    `The service opens the game as if the server of ${merchant} had asked for it. No money moves until somebody bets. The launch makes the player known to the service, and from then on the currency of the merchant is fixed.`,
  launchAct: "Launch",
  playerHint: "The id of a player in the merchant's own system",
  demo: "As a demo, with play money",
  launched: "The game is open at its provider. The address can be used once.",
  open: "Open the game",
  next: "See the merchant's transactions",
};

export const merchantActs = {
  changeWallet: "Change the wallet address",
  walletEffect:
    "The next call goes to the new address, also calls of transactions that are pending. The old wallet gets nothing more.",
  changeIps: "Change the list of addresses",
  ipHint: "Addresses and CIDR ranges, one a line",
  everyAddress: "The list is empty: every address may call.",
  onlyThese: (many: number) =>
    many === 1
      ? "Only calls from this 1 address or range are accepted."
      : `Only calls from these ${many} addresses and ranges are accepted.`,
  disableOne: (code: string) => `Disable the merchant ${code}`,
  disableEffect: "Its calls, launches and new bets are refused. Wins, refunds and rollbacks go on.",
  enableOne: (code: string) => `Enable the merchant ${code}`,
  enableEffect: "Its calls, launches and bets are accepted again.",
};
