# Makes the database's users, each with only the rights that it needs (docs/deployment.md#the-database). The image of
# MariaDB reads this file once, when it makes the database. It gives docker_process_sql, which executes SQL as root.
secret() { cat "${SECRETS:-/run/secrets}/$1"; }
# The tables do not exist yet. A right for a table that does not exist can only be given together with CREATE, so CREATE
# is given first, and taken back.
service_may_delete_from() {
  for table in "$@"; do
    echo "GRANT CREATE, DELETE ON aggregator.$table TO 'aggregator'@'%';"
    echo "REVOKE CREATE ON aggregator.$table FROM 'aggregator'@'%';"
  done
}
docker_process_sql <<SQL
CREATE DATABASE aggregator;
CREATE USER 'aggregator'@'%' IDENTIFIED BY '$(secret database_password)';
GRANT SELECT, INSERT, UPDATE ON aggregator.* TO 'aggregator'@'%';
$(service_may_delete_from nonces jtis heartbeats console_sessions wallet_minutes alerts source_hours sources api_keys)
CREATE USER 'migration'@'%' IDENTIFIED BY '$(secret migration_password)';
GRANT ALL ON aggregator.* TO 'migration'@'%';
CREATE DATABASE connectors;
CREATE USER 'connectors'@'%' IDENTIFIED BY '$(secret connectors_password)';
GRANT ALL ON connectors.* TO 'connectors'@'%';
CREATE USER 'exporter'@'%' IDENTIFIED BY '$(secret exporter_password)' WITH MAX_USER_CONNECTIONS 3;
GRANT PROCESS, SLAVE MONITOR ON *.* TO 'exporter'@'%';
SQL
