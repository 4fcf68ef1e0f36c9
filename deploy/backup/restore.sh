#!/bin/sh
# Puts a dump of backup.sh in the database's place. What is there now is dumped first, into the same folder.
#
#   deploy/backup/restore.sh backups/tradepost-20261121T031700Z.dump
#
# The site is down meanwhile. If the restore fails, the old data are still there.
set -eu
file=${1:?say which dump, such as $0 backups/tradepost-20261121T031700Z.dump}
folder=$(dirname "$file")
psql() { docker compose exec -T db psql --username=tradepost --dbname=postgres --quiet --set=ON_ERROR_STOP=1 "$@"; }
apps=$(docker compose config --services | grep -E '^app(-[0-9]+)?$')

if [ -f "$file.sha256" ]; then (cd "$folder" && sha256sum --quiet --check "$(basename "$file").sha256"); fi
docker compose up --detach --wait db
# shellcheck disable=SC2086
docker compose stop $apps

psql --command="drop database if exists tradepost_restoring with (force)" --command="create database tradepost_restoring"
docker compose exec -T db pg_restore --username=tradepost --dbname=tradepost_restoring --exit-on-error --single-transaction <"$file"
# Posts to X that waited then may have been sent since.
psql --dbname=tradepost_restoring --command="update x_posts set status = 'unknown', is_ambiguous = true, error = 'interrupted' where status in ('pending', 'sending')"
# A session that was ended since must not come back to life; everybody signs in again.
psql --dbname=tradepost_restoring --command="truncate sessions"
echo "The data that were here are in $("$(dirname "$0")/backup.sh" "$folder")"
psql --command="drop database tradepost with (force)" --command="alter database tradepost_restoring rename to tradepost"

# A dump of an older release is brought to this one's schema.
docker compose up --detach --wait
