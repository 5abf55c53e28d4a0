/** The reference wallet and its faults, with the client that WALLET_HTTP_CLIENT=undici chooses. */
import "./choose-undici.ts";
import "../reference-wallet.test.ts";
