// Runs after every request of the collection. It checks the form of the reply, and stores values for later requests.
const keep = (name, value) => pm.environment.set(name, value ?? "");
const reply = pm.response.json();
const sent = pm.request.body?.raw ? JSON.parse(pm.request.body.raw) : {};

if (pm.request.headers.has("X-Attempt")) {
  pm.test("the wallet accepts the call and tells the balance", () => {
    pm.expect(reply.ok).to.equal(true);
    pm.expect(reply.balance).to.be.a("number");
  });
  if (sent.action === "bet" && sent.tx_id === pm.environment.get("betTxId"))
    pm.test("a repeat gets the same reply", () =>
      pm.expect(reply.balance).to.equal(Number(pm.environment.get("betBalance"))),
    );
  if (sent.action === "bet") keep("betBalance", String(reply.balance));
  if (sent.action === "bet" || sent.action === "win") keep(`${sent.action}TxId`, sent.tx_id);
} else {
  pm.test("the reply has the envelope", () => {
    pm.expect(reply.success).to.equal(pm.response.code < 300);
    pm.expect(reply.statusCode).to.equal(pm.response.code);
    pm.expect(reply.message).to.be.a("string");
    if (reply.success) pm.expect(reply.data).to.be.an("object");
    else pm.expect(reply.error.request_id).to.equal(pm.response.headers.get("X-Request-Id"));
  });
  if (Array.isArray(reply.data?.items)) checkPage(reply.data);
}

function checkPage({ items, next_cursor }) {
  const ids = items.map((item) => item.tx_id ?? `${item.provider ?? ""}/${item.code}`);
  const { limit, cursor } = Object.fromEntries(
    pm.request.url.query.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, value]),
  );
  pm.test("a page has at most the items that were asked for, each once", () => {
    pm.expect(items.length).to.be.at.most(Number(limit ?? 1000));
    pm.expect(new Set(ids).size).to.equal(ids.length);
  });
  pm.test("next_cursor is a text, or null on the last page", () => {
    if (next_cursor !== null) pm.expect(next_cursor).to.match(/^[A-Za-z0-9_-]+$/);
  });
  if (cursor !== undefined)
    pm.test("the next page has none of the page before", () => {
      const before = JSON.parse(pm.environment.get("pageBefore"));
      pm.expect(ids.filter((id) => before.includes(id))).to.deep.equal([]);
    });
  keep("pageBefore", JSON.stringify(ids));
  keep("cursor", next_cursor);
  const [first] = items;
  if (first?.tx_id === undefined) return;
  keep("txId", first.tx_id);
  keep("txProvider", first.provider);
  keep("roundId", first.round_id);
  const again = items.find(({ action, status }) => /^(win|refund)$/.test(action) && /^(pending|failed)$/.test(status));
  if (again !== undefined) keep("resendTxId", again.tx_id);
}
