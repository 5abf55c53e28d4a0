package wallet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"aggregator.example/kits/go/money"
)

// The actions of a callback.
const (
	ActionBalance  = "balance"
	ActionBet      = "bet"
	ActionWin      = "win"
	ActionRefund   = "refund"
	ActionRollback = "rollback"
)

const (
	maxPlayerID = 512
	maxTxID     = 128
)

// callback has the fields of a callback's body that the wallet needs. A balance query has only the first three fields.
type callback struct {
	action, playerID, currency, txID string
	// refTxID is the transaction that a refund or rollback reverses.
	refTxID string
	// amount in minor units, above zero; 0 when currency is not the merchant's, because such a callback moves no money.
	amount int64
}

// errMalformed names the wrong field.
type errMalformed string

func (e errMalformed) Error() string { return string(e) }

// readCallback reads the body of a genuine callback. Amounts are in the merchant's currency. Unknown fields are ignored.
// The body is decoded into a map, because encoding/json matches a struct's fields in any letter case: "Amount" would
// count as "amount".
func readCallback(body []byte, merchantCurrency string) (callback, error) {
	var fields map[string]json.RawMessage
	if !utf8.Valid(body) || json.Unmarshal(body, &fields) != nil || fields == nil {
		return callback{}, errMalformed("the body must be a JSON object in UTF-8")
	}
	c := callback{action: text(fields["action"]), currency: text(fields["currency"])}
	switch c.action {
	case ActionBalance, ActionBet, ActionWin, ActionRefund, ActionRollback:
	default:
		return callback{}, errMalformed("action must be balance, bet, win, refund or rollback")
	}
	if c.currency == "" {
		return callback{}, errMalformed("currency must be a text")
	}
	ids := []id{{"player_id", maxPlayerID, &c.playerID}}
	if c.action != ActionBalance {
		ids = append(ids, id{"tx_id", maxTxID, &c.txID})
	}
	if c.isReversal() {
		ids = append(ids, id{"ref_tx_id", maxTxID, &c.refTxID})
	}
	for _, id := range ids {
		*id.value = text(fields[id.name])
		if *id.value == "" || len(*id.value) > id.maxBytes || strings.Contains(*id.value, "\x00") {
			return callback{}, errMalformed(fmt.Sprintf("%s must be a text of 1 to %d bytes", id.name, id.maxBytes))
		}
	}
	if c.action == ActionBalance || c.currency != merchantCurrency {
		return c, nil
	}
	amount, err := money.Parse(string(bytes.TrimSpace(fields["amount"])))
	if err == nil {
		c.amount, err = amount.Minor(merchantCurrency)
	}
	if err != nil || c.amount <= 0 || c.amount >= maxAmount(merchantCurrency) {
		return callback{}, errMalformed("amount must be an amount of " + merchantCurrency + " above 0")
	}
	return c, nil
}

// maxAmount returns the first minor units that no amount of the aggregator has: 10,000,000,000 of the major unit.
func maxAmount(currency string) int64 {
	most := int64(10_000_000_000)
	for places, _ := money.Decimals(currency); places > 0; places-- {
		most *= 10
	}
	return most
}

// id is a field that names a player or a transaction.
type id struct {
	name     string
	maxBytes int
	value    *string
}

// text reads a JSON string; "" when the value is not a string, or contains half of a surrogate pair. encoding/json
// reads every such half as U+FFFD, so it could not distinguish two ids with different halves.
func text(raw json.RawMessage) (value string) {
	if json.Unmarshal(raw, &value) != nil || !hasWholePairs(raw) {
		return ""
	}
	return value
}

// hasWholePairs returns whether the escapes of a JSON text contain both halves of each surrogate pair.
func hasWholePairs(raw json.RawMessage) bool {
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		first := escaped(raw[i:])
		if !utf16.IsSurrogate(first) {
			i++ // The character after the backslash may be a backslash, too.
			continue
		}
		const escape = len(`\ud800`)
		if utf16.DecodeRune(first, escaped(raw[i+escape:])) == utf8.RuneError {
			return false
		}
		i += 2*escape - 1
	}
	return true
}

// escaped returns the code unit of the JSON escape at the beginning of the text (a backslash, u, four hex digits).
// It returns -1 when the text does not begin with such an escape.
func escaped(raw json.RawMessage) rune {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return -1
	}
	unit, err := strconv.ParseUint(string(raw[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(unit)
}

// isReversal returns whether the callback reverses another transaction.
func (c callback) isReversal() bool {
	return c.action == ActionRefund || c.action == ActionRollback
}

// isDebit returns whether the callback debits the player.
func (c callback) isDebit() bool {
	return c.action == ActionBet || c.action == ActionRollback
}
