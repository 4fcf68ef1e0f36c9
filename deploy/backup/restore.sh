#!/bin/sh
# Puts a backup of backup.sh, also one of an older release, in the place of what the database holds. What is there now is
# written to before-restore-DATE.tar in the same folder first.
#
#   deploy/backup/restore.sh backups/tradepost-20261121T031700Z.tar
#
# The site is down meanwhile. If the restore fails, the old data are still there: `docker compose up --detach` starts it.
set -eu
file=${1:?say which backup, such as $0 backups/tradepost-20261121T031700Z.tar}
folder=$(dirname "$file")
apps=$(docker compose config --services | grep -E '^app(-[0-9]+)?$')

. "$(dirname "$0")/marketctl.sh"
marketctl backup verify "/backups/$(basename "$file")" >/dev/null
docker compose up --detach --wait db
# shellcheck disable=SC2086
docker compose stop $apps
# A new database has no tables yet.
docker compose run --rm migrate
stamp=$(date -u +%Y%m%dT%H%M%SZ)
marketctl backup restore "/backups/$(basename "$file")" --replace --yes --keep "/backups/before-restore-$stamp.tar" >/dev/null
echo "The data that were here are in $folder/before-restore-$stamp.tar"
docker compose up --detach --wait
