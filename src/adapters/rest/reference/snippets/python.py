import hashlib, hmac, secrets, time, urllib.request

def call(merchant, secret, method, url, target, body=""):
    timestamp, nonce = str(time.time_ns() // 1_000_000), secrets.token_hex(16)
    signing = f"{timestamp}.{nonce}.{method}.{target}.{body}".encode()
    signature = hmac.new(secret.encode(), signing, hashlib.sha256).hexdigest()
    headers = {"X-Merchant-Id": merchant, "X-Timestamp": timestamp, "X-Nonce": nonce,
               "X-Signature": signature, "Content-Type": "application/json"}
    request = urllib.request.Request(url + target, body.encode() or None, headers, method=method)
    return urllib.request.urlopen(request).read()
