#!/bin/sh
# Makes the secrets of the compose file, once. A secret that exists stays as it is: a new MASTER_KEY could not decrypt
# what the old one has encrypted.
set -eu
cd "$(dirname "$0")"
# The folder is closed. The files can be read by the users inside the containers, which compose mounts them for.
mkdir -p secrets
chmod 700 secrets
make_file() {
  [ -e "secrets/$1" ] || printf '%s\n' "$2" >"secrets/$1"
  chmod 644 "secrets/$1"
}
random() { openssl rand -base64 32; }
make_file master_key "$(random)"
make_file jwt_key "$(random)"
make_file admin_key "$(random)"
make_file connectors_master_key "$(random)"
make_file grafana_password "$(random)"
# In a URL, so without characters that a URL would have to escape.
for user in database migration connectors exporter; do make_file "${user}_password" "$(openssl rand -hex 24)"; done
password_of() { cat "secrets/$1_password"; }
make_file database_url "mysql://aggregator:$(password_of database)@database:3306/aggregator"
make_file migration_url "mysql://migration:$(password_of migration)@database:3306/aggregator"
make_file connectors_url "mysql://connectors:$(password_of connectors)@database:3306/connectors"
make_file exporter_my_cnf "[client]
host=database
user=exporter
password=$(password_of exporter)"
echo "The secrets are in $(pwd)/secrets. Keep a copy of master_key in a safe place, apart from the backups."
