package client

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Seq yields items one after the other. If there is an error, it is yielded last. From Go 1.23 on, read it with `for
// item, err := range seq`. Before Go 1.23, call it with a function that returns false to stop.
type Seq[T any] func(yield func(item T, err error) bool)

// Page is a part of a list.
type Page[T any] struct {
	Items []T `json:"items"`
	// NextCursor is empty on the last page.
	NextCursor string `json:"next_cursor"`
	// Total is the number of items on all pages, in lists of the catalog.
	Total int `json:"total"`
	// Tag is the ETag of this page. Only lists of the catalog have one. Send it with the next call to learn whether
	// anything changed.
	Tag string `json:"-"`
	// Unchanged is true when nothing has changed since the reply with the sent tag. Then the page is empty.
	Unchanged bool `json:"-"`
}

// items yields the items of all pages.
func items[T any](page func(cursor string) (*Page[T], error)) Seq[T] {
	return func(yield func(T, error) bool) {
		for cursor, first := "", true; first || cursor != ""; first = false {
			read, err := page(cursor)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range read.Items {
				if !yield(item, nil) {
					return
				}
			}
			cursor = read.NextCursor
		}
	}
}

// query collects the parameters of a query string.
type query url.Values

func (q query) text(name, value string) {
	if value != "" {
		url.Values(q).Set(name, value)
	}
}

func (q query) number(name string, value int) {
	if value != 0 {
		q.text(name, strconv.Itoa(value))
	}
}

func (q query) time(name string, value time.Time) {
	if !value.IsZero() {
		q.text(name, value.UTC().Format("2006-01-02T15:04:05.000Z"))
	}
}

// on returns the target: the path with this query.
func (q query) on(path string) string {
	if len(q) == 0 {
		return path
	}
	return path + "?" + url.Values(q).Encode()
}

// path joins the parts of an address. A "/" in an id is escaped, too.
func path(parts ...string) string {
	target := "/v1"
	for _, part := range parts {
		target += "/" + url.PathEscape(part)
	}
	return target
}

// checkPath refuses ids that cannot be a part of a path. URLs give "." and ".." another meaning, so a server would read
// another path than the signed one.
func checkPath(target string) error {
	path, _, _ := strings.Cut(target, "?")
	for _, part := range strings.Split(path, "/")[1:] {
		if slices.Contains([]string{"", ".", ".."}, part) {
			return fmt.Errorf("client: the id %q cannot stand in a path. No call was made", part)
		}
	}
	return nil
}
