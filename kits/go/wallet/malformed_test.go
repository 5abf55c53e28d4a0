package wallet_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"strings"
	"testing"

	"aggregator.example/kits/go/wallet/storagetest"
)

func TestACallbackThatTheAggregatorNeverSendsIsRejectedAndNotStored(t *testing.T) {
	w, books := open(t)
	w.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	right := func() fields { return storagetest.About("ana", tx("bet", "b", 1)) }
	bodies := map[string][]byte{}
	for name, callback := range map[string]fields{
		"a part of a cent":          with(right(), "amount", 0.001),
		"an amount of 0":            with(right(), "amount", 0),
		"an amount below 0":         with(right(), "amount", -1),
		"an amount as text":         with(right(), "amount", "1"),
		"no amount":                 with(right(), "amount", nil),
		"another action":            with(right(), "action", "deposit"),
		"an action of digits":       with(right(), "action", 7),
		"no player":                 with(right(), "player_id", nil),
		"a player of 513 bytes":     with(right(), "player_id", strings.Repeat("x", 513)),
		"no currency":               with(right(), "currency", ""),
		"an empty tx_id":            with(right(), "tx_id", ""),
		"a tx_id of 129 bytes":      with(right(), "tx_id", strings.Repeat("x", 129)),
		"a tx_id with U+0000":       with(right(), "tx_id", "a\x00b"),
		"a refund of nothing":       with(right(), "action", "refund"),
		"a rollback of an empty id": with(with(right(), "action", "rollback"), "ref_tx_id", ""),
	} {
		bodies[name] = toJSON(callback)
	}
	bet := string(toJSON(right()))
	for name, id := range map[string]string{
		"a byte that is no UTF-8": "b\xff",
		"half of a pair":          `b\ud800`,
		"another half":            `b\uDC01`,
		"halves in a wrong order": `\udfb0\ud83c`,
		"half before a backslash": `\ud83c\\`,
		"half after a backslash":  `\\\ud83c`,
		"two first halves":        `\ud83c\ud83c`,
	} {
		bodies[name] = []byte(strings.Replace(bet, `"b"`, `"`+id+`"`, 1))
	}
	for name, body := range map[string]string{"nothing": "", "no JSON": "no JSON", "a list": "[]", "null": "null", "a byte order mark": "\ufeff" + bet} {
		bodies[name] = []byte(body)
	}
	for name, body := range bodies {
		if status, answer := storagetest.SendBody(w, "shop", body); status != 400 || answer != no("INVALID_REQUEST") {
			t.Errorf("%s: %d %s", name, status, answer)
		}
	}
	if player, err := books.Player(context.Background(), "shop", "ana"); err != nil || player.Balance != 1000 {
		t.Errorf("ana has %+v, %v", player, err)
	}
	for _, id := range []string{"b", `\ud83c\udfb0`, `\\ud83c`, `\u00e9\"`} {
		if status, answer := storagetest.SendBody(w, "shop", []byte(strings.Replace(bet, `"b"`, `"`+id+`"`, 1))); status != 200 {
			t.Errorf("%s: %d %s", id, status, answer)
		}
	}
}

func toJSON(callback fields) []byte {
	body, err := json.Marshal(callback)
	if err != nil {
		panic(err)
	}
	return body
}
