<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Client;

use GameAggregator\Kit\Data\Changes;
use GameAggregator\Kit\Data\Game;
use GameAggregator\Kit\Data\Launch;
use GameAggregator\Kit\Data\ListedRound;
use GameAggregator\Kit\Data\Merchant;
use GameAggregator\Kit\Data\Provider;
use GameAggregator\Kit\Data\Report;
use GameAggregator\Kit\Data\Round;
use GameAggregator\Kit\Data\Transaction;
use GameAggregator\Kit\Error\ConnectionException;
use GameAggregator\Kit\Json;

/**
 * Every operation of the merchant's API. Money is exact decimal text. After no answer, a 429 or a 5xx, the client signs
 * the call anew and repeats it. A launch is never repeated, because each launch opens a session.
 *
 * All methods throw an AggregatorException when the service refuses, and a ConnectionException when there is no answer.
 * Queries are arrays of the API's parameters: `['type' => 'slot', 'limit' => 500]`.
 */
final class AggregatorClient
{
    private readonly Caller $caller;

    /**
     * @param string $baseUrl the API's address without `/v1`: `https://api.aggregator.example`
     * @param string $merchant the merchant's code
     * @param int $attempts the maximum number of attempts of a call; the feed has no maximum
     */
    public function __construct(
        string $baseUrl,
        string $merchant,
        #[\SensitiveParameter] string $secret,
        int $attempts = 6,
        ?Transport $transport = null,
    ) {
        $this->caller = new Caller($baseUrl, $merchant, $secret, $attempts, $transport ?? new CurlTransport());
    }

    public function merchant(): Merchant
    {
        return Merchant::of($this->caller->data('GET', '/v1/merchant'));
    }

    /**
     * @param array{provider?: string, currency?: string, lang?: string, country?: string, demo?: bool, lobby_url?:
     *     string, player_ip?: string, device?: 'desktop'|'mobile', deposit_url?: string, history_url?: string,
     *     display_name?: string} $more
     */
    public function launch(string $playerId, string $game, array $more = []): Launch
    {
        $payload = ['player_id' => $playerId, 'game' => $game] + $more;
        return Launch::of($this->caller->data('POST', '/v1/game/launch', $payload, isRepeatable: false));
    }

    /**
     * All games that match the query.
     *
     * @param array{type?: string, provider?: string, q?: string, demo_available?: bool, active?: bool|'all',
     *     updated_since?: string, lang?: string, limit?: int} $query
     * @return \Generator<int, Game>
     */
    public function games(array $query = []): \Generator
    {
        return $this->all('/v1/games', $query, Game::of(...));
    }

    public function game(string $provider, string $code, ?string $lang = null): Game
    {
        $path = '/v1/games/' . self::segment($provider) . '/' . self::segment($code);
        return Game::of($this->caller->data('GET', $path . self::search(['lang' => $lang])));
    }

    /**
     * @param array{limit?: int} $query
     * @return \Generator<int, Provider>
     */
    public function providers(array $query = []): \Generator
    {
        return $this->all('/v1/providers', $query, Provider::of(...));
    }

    /**
     * A whole listing, page by page.
     *
     * @param array{from?: string, to?: string, status?: string, action?: string, player_id?: string, provider?: string,
     *     game?: string, tx_id?: string, round_id?: string, ref_tx_id?: string, kind?: string, order?: 'asc'|'desc', limit?: int}
     *     $query
     * @return \Generator<int, Transaction>
     */
    public function transactions(array $query = []): \Generator
    {
        return $this->all('/v1/transactions', $query, Transaction::of(...));
    }

    /**
     * A whole listing in one reply. The first item is yielded after the whole reply has arrived.
     *
     * @param array<string, string> $query the query of {@see transactions}, without limit
     * @return \Generator<int, Transaction>
     * @throws ConnectionException when the reply ends too early
     */
    public function exportTransactions(array $query = []): \Generator
    {
        $body = $this->caller->reply('/v1/transactions' . self::search($query + ['format' => 'ndjson']))->body;
        $count = 0;
        $last = null;
        while (($line = fgets($body)) !== false) {
            $count++;
            $last = $line;
        }
        $end = $last === null ? null : json_decode($last, true);
        if (($end['complete'] ?? null) !== true || ($end['items'] ?? null) !== $count - 1) {
            throw new ConnectionException('The export ended before its last line.');
        }
        rewind($body);
        for ($i = 1; $i < $count; $i++) {
            yield Transaction::of(Json::decode((string) fgets($body)));
        }
    }

    /**
     * The pages of the feed of changes, without end. At the feed's end it yields an empty page, pauses and reads again.
     * The generator repeats a call as long as the service cannot be reached, or answers 429 or 5xx. Store items and
     * cursor together; a stored cursor is valid for ever.
     *
     * @param ?string $cursor the cursor that you stored last
     * @param ?string $since the beginning of a feed without a cursor: a time, RFC 3339
     * @param array{action?: string, player_id?: string, provider?: string, game?: string, tx_id?: string,
     *     round_id?: string, ref_tx_id?: string, kind?: string} $filter
     * @return \Generator<int, Changes>
     */
    public function changes(
        ?string $cursor = null,
        ?string $since = null,
        array $filter = [],
        int $limit = 100,
        int $pauseMs = 1_000,
    ): \Generator {
        if ($cursor === null && $since === null) {
            throw new \InvalidArgumentException('changes needs a cursor, or a time: since');
        }
        for (;;) {
            $place = $cursor === null ? ['updated_since' => $since] + $filter : ['cursor' => $cursor];
            $target = '/v1/transactions' . self::search($place + ['limit' => $limit]);
            $page = Changes::of($this->caller->data('GET', $target, attempts: PHP_INT_MAX));
            yield $page;
            // With a filter, a page may be empty although more changes follow.
            if ($page->items === [] && ($cursor === null || $cursor === $page->cursor)) {
                usleep($pauseMs * 1000);
            }
            $cursor = $page->cursor;
        }
    }

    /** One transaction with all calls that the service made to your wallet for it. */
    public function transaction(string $txId): Transaction
    {
        return Transaction::of($this->caller->data('GET', '/v1/transactions/' . self::segment($txId)));
    }

    /** Makes the service send a pending or failed win or refund now. */
    public function resend(string $txId): Transaction
    {
        return Transaction::of($this->caller->data('POST', '/v1/transactions/' . self::segment($txId) . '/resend'));
    }

    /**
     * The rounds that are open or have ended, of providers that say when a round ends.
     *
     * @param array{state?: 'open'|'ended', older_than?: string, ended_since?: string, limit?: int} $query
     * @return \Generator<int, ListedRound>
     */
    public function rounds(array $query = []): \Generator
    {
        return $this->all('/v1/rounds', $query, ListedRound::of(...));
    }

    /** @param array{limit?: int, cursor?: string} $query */
    public function round(string $provider, string $roundId, array $query = []): Round
    {
        $path = '/v1/rounds/' . self::segment($provider) . '/' . self::segment($roundId);
        return Round::of($this->caller->data('GET', $path . self::search($query)));
    }

    /**
     * The sums of the successful transactions.
     *
     * @param string $from the first day, `YYYY-MM-DD`
     * @param string $to the last day; the report includes it
     * @param array{group_by?: string, tz?: string, provider?: string, type?: string} $query
     */
    public function ggrReport(string $from, string $to, array $query = []): Report
    {
        $target = '/v1/reports/ggr' . self::search(['from' => $from, 'to' => $to] + $query);
        return Report::of($this->caller->data('GET', $target));
    }

    private function all(string $path, array $query, \Closure $make): \Generator
    {
        do {
            $page = $this->caller->data('GET', $path . self::search($query));
            foreach ($page['items'] as $item) {
                yield $make($item);
            }
            // A cursor contains the other parameters.
            $query = ['cursor' => $page['next_cursor']] + array_intersect_key($query, ['limit' => true]);
        } while ($page['next_cursor'] !== null);
    }

    /**
     * An id as a part of a path. URLs give `.` and `..` another meaning, so the service would get another path than the
     * signed one.
     *
     * @throws \InvalidArgumentException
     */
    private static function segment(string $id): string
    {
        if (in_array($id, ['', '.', '..'], true)) {
            throw new \InvalidArgumentException(
                "The id \"$id\" cannot stand in a path. No call was made.",
            );
        }
        return rawurlencode($id);
    }

    /** A query string that begins with `?`; empty when there are no parameters. */
    private static function search(array $query): string
    {
        $given = array_filter($query, static fn(mixed $value): bool => $value !== null);
        $texts = array_map(
            static fn(mixed $value): string => is_bool($value) ? ($value ? 'true' : 'false') : (string) $value,
            $given,
        );
        return $texts === [] ? '' : '?' . http_build_query($texts, '', '&', PHP_QUERY_RFC3986);
    }
}
