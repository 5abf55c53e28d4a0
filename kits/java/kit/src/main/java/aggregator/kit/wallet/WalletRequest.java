package aggregator.kit.wallet;

import aggregator.kit.signing.SignatureHeaders;

/**
 * A callback as it was received.
 *
 * @param method upper case
 * @param target path and query of the walletUrl, undecoded
 * @param body the raw bytes, before any parser
 */
public record WalletRequest(String method, String target, SignatureHeaders headers, byte[] body) {}
