#!/bin/sh
# Builds (or pulls), backs up, migrates, and replaces one replica after the other. With two (compose.replicas.yml) no request
# fails; with one the site is away for some seconds.
#
#   git pull && deploy/compose/upgrade.sh          what the checkout holds
#   VERSION=1.4.0 deploy/compose/upgrade.sh        that image
set -eu
here=$(dirname "$0")
apps=$(docker compose config --services | grep -E '^app(-[0-9]+)?$' | sort -r)

if [ "${BUILD:-1}" = 1 ]; then docker compose build migrate; fi
backup=$("$here/../backup/backup.sh")
echo "Backed up to $backup"
# The old release goes on running on the new schema: migrations only add (docs/UPGRADE.md).
docker compose run --rm migrate
for app in $apps; do
  docker compose up --detach --wait --no-deps "$app"
  echo "$app is replaced"
done
docker compose exec -T app marketctl health --ready
echo "To go back: check out the release before (or set VERSION) and run this again; to undo the data, too:
  deploy/backup/restore.sh $backup"
