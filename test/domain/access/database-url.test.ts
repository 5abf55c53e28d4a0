import test from "ava";
import {
  checkDatabaseUrl,
  DatabaseUrlError,
  readMysqlUrl,
  readSqliteUrl,
} from "../../../src/domain/access/database-url.ts";

const REST = { user: "u", password: "p", database: "d", host: "h", port: 3306, socketPath: undefined, ssl: false };

test("a URL of MariaDB or MySQL is read with every host, port, user, password, database and parameter", (t) => {
  const read: Record<string, Partial<ReturnType<typeof readMysqlUrl>>> = {
    "mysql://u:p@h/d": {},
    "mysql://u:p@h:/d": {},
    "mysql://u:p@h:3307/d": { port: 3307 },
    "mysql://u@h/d": { password: "" },
    "mysql://u:@h/d": { password: "" },
    "mysql://h/d": { user: "", password: "" },
    "mysql://u:p@127.0.0.1:1/d": { host: "127.0.0.1", port: 1 },
    "mysql://u:p@[::1]:3307/d": { host: "::1", port: 3307 },
    "mysql://u:p@[2001:db8::7]/d": { host: "2001:db8::7" },
    "mysql://u:p@[fe80::1%25eth0]:3307/d": { host: "fe80::1%eth0", port: 3307 },
    "mysql://u:p@[fe80::1%eth0]/d": { host: "fe80::1%eth0" },
    "mysql://u:p@my_db-1.internal./d": { host: "my_db-1.internal." },
    "mysql://u:p@bücher.example/d": { host: "xn--bcher-kva.example" },
    // Reserved characters, percent-encoded.
    "mysql://u%40%3A:%40%3A%2F%3F%23%5B%5D%20%25%C3%A9@h/a%25%3F%20b": {
      user: "u@:",
      password: "@:/?#[] %é",
      database: "a%? b",
    },
    // Reserved characters that are not ambiguous.
    "mysql://u:a@b:c[d] e+é&=@h/game-a": { password: "a@b:c[d] e+é&=", database: "game-a" },
    "mysql://u:%0A@h/d": { password: "\n" },
    "mysql://u:p@/d?socketPath=/run/a+b%20c.sock": { host: "", socketPath: "/run/a+b c.sock" },
    "mysql://u:p@localhost/d?socketPath=%2Frun%2Fs&ssl=false": { host: "localhost", socketPath: "/run/s" },
    "mysql://u:p@h/d?ssl=true": { ssl: true },
    "mysql://u:p@h/d?": {},
  };
  for (const [url, parts] of Object.entries(read)) t.deepEqual(readMysqlUrl(url), { ...REST, ...parts }, url);
});

test("a wrong URL is refused with the remedy, and without any part of it", (t) => {
  const wrong: Record<string, RegExp> = {
    "mysql://u:secret%@h/d": /a % without two hexadecimal digits.*% as %25/,
    "mysql://u:%zzsecret@h/d": /% as %25/,
    "mysql://u:secret%C3@h/d": /% as %25/,
    "mysql://se%cret:p@h/d": /% as %25/,
    "mysql://u:p@h/secret%": /% as %25/,
    "mysql://u:a#secret@h/d": /has a #.*# as %23/,
    "mysql://u:a/secret@h/d": /\/ as %2F/,
    "mysql://u:12/secret@h": /\/ as %2F/,
    "mysql://u:a?secret@h/d": /\? as %3F/,
    "mysql://u:secret\n@h/d": /line break/,
    "mysql://u:p@h/secret\t": /line break/,
    "mysql://u:p@::1:3306/secret": /IPv6 address is in brackets/,
    "mysql://u:p@[::1/secret": /IPv6 address is in brackets/,
    "mysql://u:p@[secret]/d": /IPv6 address is in brackets/,
    "mysql://u:p@[127.0.0.1]/secret": /IPv6 address is in brackets/,
    "mysql://u:p@-secret/d": /no host/,
    "mysql://u:secret@/d": /no host/,
    "mysql://u:secret@h:0/d": /wrong port/,
    "mysql://u:secret@h:65536/d": /wrong port/,
    "mysql://u:secret@h": /names no database/,
    "mysql://u:secret@h/": /names no database/,
    "mysql://u:secret@h/a/b": /names no database, or not only one/,
    "mysql://u:secret@h/d?ssl=1": /ssl=true or false/,
    "mysql://u:p@h/d?secret=true": /parameter other than/,
    "mysql://u:secret@h/d?ssl=true&ssl=true": /twice/,
    "mysql://u:p@h/d?socketPath=secret": /path from the root/,
    "mariadb://u:secret@h/d": /neither mysql:\/\/ nor sqlite:/,
    "sqlite:": /no file/,
    "sqlite: ": /no file/,
    "sqlite:secret\n.db": /line break/,
  };
  for (const [url, message] of Object.entries(wrong)) {
    const error = t.throws(() => checkDatabaseUrl(url), { instanceOf: DatabaseUrlError, message }, url);
    t.false(error?.message.includes("secret"), url);
  }
});

test("SQLite: the name of a file is taken as it is, without the spaces around it", (t) => {
  for (const file of ["a.db", "/var/lib/a b%20?#[x]é.db", "file:a.db?mode=ro", ":memory:"])
    t.is(readSqliteUrl(`sqlite:${file}`), file);
  t.is(readSqliteUrl("sqlite: :memory: "), ":memory:");
});
