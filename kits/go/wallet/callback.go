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

// callback has the fields of a callback's body that the wallet needs. An absent text field is empty.
type callback struct {
	action, playerID, currency, txID string
	// refTxID is the transaction that a refund or rollback reverses.
	refTxID string
	// amount is the text of the JSON number, "" when it is absent.
	amount string
}

var errNotJSON = errors.New("the body is not a JSON object in UTF-8")

// readCallback reads the body of a genuine callback. Unknown fields are ignored. The body is decoded into a map,
// because encoding/json matches a struct's fields in any letter case: "Amount" would count as "amount".
func readCallback(body []byte) (callback, error) {
	var fields map[string]json.RawMessage
	if !utf8.Valid(body) || json.Unmarshal(body, &fields) != nil || fields == nil {
		return callback{}, errNotJSON
	}
	text := func(name string) (value string) {
		// A value that is not a text stays "". It is rejected if the action needs it.
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

// minor returns the amount in minor units; false when it is not a valid amount of this currency.
func (c callback) minor(currency string) (int64, bool) {
	amount, err := money.Parse(c.amount)
	if err != nil {
		return 0, false
	}
	minor, err := amount.Minor(currency)
	return minor, err == nil && minor > 0
}

// isReversal tells whether the callback reverses another transaction.
func (c callback) isReversal() bool {
	return c.action == ActionRefund || c.action == ActionRollback
}

// isDebit tells whether the callback takes money from the player.
func (c callback) isDebit() bool {
	return c.action == ActionBet || c.action == ActionRollback
}
