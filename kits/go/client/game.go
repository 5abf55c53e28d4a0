package client

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"
)

// Merchant is the aggregator's record of the calling merchant.
type Merchant struct {
	Code             string   `json:"code"`
	Currency         string   `json:"currency"`
	Brand            string   `json:"brand"`
	Products         []string `json:"products"`
	DefaultLanguage  string   `json:"default_language"`
	WalletConfigured bool     `json:"wallet_configured"`
	Environment      string   `json:"environment"`
	// Sportsbook has nil addresses when no sportsbook is connected.
	Sportsbook struct {
		URL          *string `json:"url"`
		ScriptURL    *string `json:"script_url"`
		IntegrityURL *string `json:"integrity_url"`
	} `json:"sportsbook"`
	// ServerTime is in milliseconds since 1970. Compare it with your clock.
	ServerTime int64 `json:"server_time"`
	// Capabilities is what the service can send and show beyond its first release.
	Capabilities []string `json:"capabilities"`
}

// Merchant reads the merchant that makes the call. It is a good first signed call.
func (c *Client) Merchant(ctx context.Context) (*Merchant, error) {
	var merchant Merchant
	return &merchant, c.get(ctx, path("merchant"), &merchant)
}

// LaunchRequest names the game and the player. Only PlayerID and Game are required.
type LaunchRequest struct {
	// PlayerID is your own id: 1 to 128 characters.
	PlayerID string `json:"player_id"`
	// Game is a game's code, or "sportsbook".
	Game string `json:"game"`
	// Provider is required when several providers have a game with this code.
	Provider string `json:"provider,omitempty"`
	Currency string `json:"currency,omitempty"`
	// Lang is pt, es or en, alone or with a region.
	Lang string `json:"lang,omitempty"`
	// Country is an ISO 3166-1 alpha-2 code.
	Country string `json:"country,omitempty"`
	// Demo opens the game with play money, without your wallet.
	Demo bool `json:"demo,omitempty"`
	// LobbyURL is the page to which the game sends the player at the end.
	LobbyURL string `json:"lobby_url,omitempty"`
	// PlayerIP is the address of the player's device. Some providers require it.
	PlayerIP string `json:"player_ip,omitempty"`
	// Device is "desktop" or "mobile".
	Device string `json:"device,omitempty"`
	// DepositURL is the page at which the player deposits money.
	DepositURL string `json:"deposit_url,omitempty"`
	// HistoryURL is the page with the player's history.
	HistoryURL string `json:"history_url,omitempty"`
	// DisplayName is a name to show in the game: 1 to 64 characters.
	DisplayName string `json:"display_name,omitempty"`
}

// Launch is an open game. Show LaunchURL at once. Launch again each time the player opens a game.
type Launch struct {
	LaunchURL string `json:"launch_url"`
	Game      string `json:"game"`
	Provider  string `json:"provider"`
	Demo      bool   `json:"demo"`
}

// Launch opens a game. The client never repeats this call, because each launch opens a session.
func (c *Client) Launch(ctx context.Context, request LaunchRequest) (*Launch, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	var launch Launch
	_, err = c.do(ctx, call{method: http.MethodPost, target: path("game", "launch"), body: body, once: true}, &launch)
	return &launch, err
}

// Game is a row of the catalog. A field is nil when the provider gave no value.
type Game struct {
	Code          string `json:"code"`
	Provider      string `json:"provider"`
	Name          string `json:"name"`
	Type          string `json:"type"`
	DemoAvailable bool   `json:"demo_available"`
	Active        bool   `json:"active"`
	Images        *struct {
		Thumb      *string `json:"thumb"`
		Square     *string `json:"square"`
		Background *string `json:"background"`
	} `json:"images"`
	Tags []string `json:"tags"`
	// RTP is the return to player in percent, with the digits of the JSON number.
	RTP              *json.Number      `json:"rtp"`
	Volatility       *string           `json:"volatility"`
	FreeRounds       *bool             `json:"free_rounds"`
	Jackpot          *bool             `json:"jackpot"`
	Platforms        []string          `json:"platforms"`
	Languages        []string          `json:"languages"`
	BlockedCountries []string          `json:"blocked_countries"`
	ReleasedAt       *time.Time        `json:"released_at"`
	UpdatedAt        time.Time         `json:"updated_at"`
	Names            map[string]string `json:"names"`
}

// GamesFilter selects games. The zero value selects every active game, in pages of 100.
type GamesFilter struct {
	// Type is "slot", "live" or "sportsbook".
	Type     string
	Provider string
	// Search is a part of a game's code or of one of its names.
	Search        string
	DemoAvailable *bool
	// Active is "true" (the default), "false" or "all".
	Active       string
	UpdatedSince time.Time
	Lang         string
	// Limit is the maximum number of items of a page: 1 to 500.
	Limit int
}

func (f GamesFilter) query() query {
	q := query{}
	q.text("type", f.Type)
	q.text("provider", f.Provider)
	q.text("q", f.Search)
	if f.DemoAvailable != nil {
		q.text("demo_available", map[bool]string{true: "true", false: "false"}[*f.DemoAvailable])
	}
	q.text("active", f.Active)
	q.time("updated_since", f.UpdatedSince)
	q.text("lang", f.Lang)
	q.number("limit", f.Limit)
	return q
}

// Games yields the games of your products, sorted by provider and code.
func (c *Client) Games(ctx context.Context, filter GamesFilter) Seq[Game] {
	return items(func(cursor string) (*Page[Game], error) { return c.GamesPage(ctx, filter, cursor, "") })
}

// GamesPage reads one page. cursor: the NextCursor of the previous page, "" for the first page. tag: the Tag of an
// earlier reply to the same call, or "".
func (c *Client) GamesPage(ctx context.Context, filter GamesFilter, cursor, tag string) (*Page[Game], error) {
	q := filter.query()
	q.text("cursor", cursor)
	return catalogPage[Game](ctx, c, q.on(path("games")), tag)
}

// Game reads one game, even an inactive one. lang may be "".
func (c *Client) Game(ctx context.Context, provider, code, lang string) (*Game, error) {
	q := query{}
	q.text("lang", lang)
	var game Game
	return &game, c.get(ctx, q.on(path("games", provider, code)), &game)
}

// Provider is a provider of games.
type Provider struct {
	Code   string `json:"code"`
	Name   string `json:"name"`
	Active bool   `json:"active"`
	// Games is the number of launchable games of your products.
	Games int `json:"games"`
}

// Providers yields every provider, sorted by code. limit: items of a page, 1 to 500; 0 means the default of 100.
func (c *Client) Providers(ctx context.Context, limit int) Seq[Provider] {
	return items(func(cursor string) (*Page[Provider], error) { return c.ProvidersPage(ctx, limit, cursor, "") })
}

// ProvidersPage reads one page; cursor and tag as for GamesPage.
func (c *Client) ProvidersPage(ctx context.Context, limit int, cursor, tag string) (*Page[Provider], error) {
	q := query{}
	q.number("limit", limit)
	q.text("cursor", cursor)
	return catalogPage[Provider](ctx, c, q.on(path("providers")), tag)
}

func catalogPage[T any](ctx context.Context, c *Client, target, tag string) (*Page[T], error) {
	var page Page[T]
	newTag, err := c.do(ctx, call{method: http.MethodGet, target: target, tag: tag}, &page)
	if errors.Is(err, errUnchanged) {
		return &Page[T]{Tag: tag, Unchanged: true}, nil
	}
	page.Tag = newTag
	return &page, err
}
