package wallet

import (
	"bytes"
	"encoding/json"
	"errors"
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

// callback is the body of a callback, as far as the wallet needs it. Texts that are absent are empty.
type callback struct {
	action, playerID, currency, txID string
	// refTxID is what a refund or rollback reverses.
	refTxID string
	// amount as the JSON has it, "" when it is absent.
	amount string
}

var errNotJSON = errors.New("the body is not a JSON object in UTF-8")

// readCallback reads a genuine body. Fields that the wallet does not know are ignored. encoding/json matches the fields
// of a struct in any letter case, so that "Amount" would count as "amount"; a map has exact keys.
func readCallback(body []byte) (callback, error) {
	var fields map[string]json.RawMessage
	if !utf8.Valid(body) || json.Unmarshal(body, &fields) != nil || fields == nil {
		return callback{}, errNotJSON
	}
	text := func(name string) (value string) {
		// What is no text stays "", and is rejected where it is needed.
		_ = json.Unmarshal(fields[name], &value)
		return value
	}
	c := callback{
		action:   text("action"),
		playerID: text("player_id"),
		currency: text("currency"),
		txID:     text("tx_id"),
		amount:   string(bytes.TrimSpace(fields["amount"])),
	}
	if c.isReversal() {
		c.refTxID = text("ref_tx_id")
	}
	return c, nil
}

// minor gives the amount in minor units; false when it is no amount of this currency.
func (c callback) minor(currency string) (int64, bool) {
	amount, err := money.Parse(c.amount)
	if err != nil {
		return 0, false
	}
	minor, err := amount.Minor(currency)
	return minor, err == nil && minor > 0
}

// isReversal tells whether the callback names another transaction.
func (c callback) isReversal() bool {
	return c.action == ActionRefund || c.action == ActionRollback
}

// isDebit tells whether the callback takes money from the player.
func (c callback) isDebit() bool {
	return c.action == ActionBet || c.action == ActionRollback
}
