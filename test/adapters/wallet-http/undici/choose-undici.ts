/** Imported before the fixture: the tests of this process call wallets with undici. */
process.env.TEST_WALLET_HTTP_CLIENT = "undici";
