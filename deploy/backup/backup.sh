#!/bin/sh
# Dumps the compose stack's database into a file that is whole or not there, and keeps the newest.
#
#   deploy/backup/backup.sh [FOLDER]      default: ./backups; KEEP=14 files stay
#
# The dump is made by the database's own container, so its version always fits. Pictures are in it, unless IMAGE_STORE
# keeps them elsewhere. Prints the file's name.
set -eu
umask 077
folder=${1:-backups}
mkdir -p "$folder"
file=$folder/tradepost-$(date -u +%Y%m%dT%H%M%SZ).dump
trap 'rm -f "$file.partial"' EXIT

docker compose exec -T db pg_dump --username=tradepost --format=custom tradepost >"$file.partial"
# A dump that was cut short has no table of contents.
docker compose exec -T db pg_restore --list <"$file.partial" >/dev/null
sync "$file.partial" 2>/dev/null || sync
mv "$file.partial" "$file"
(cd "$folder" && sha256sum "$(basename "$file")" >"$(basename "$file").sha256")

find "$folder" -name 'tradepost-*.dump' | sort -r | tail -n +"$((${KEEP:-14} + 1))" | while read -r old; do
  rm -f "$old" "$old.sha256"
done
echo "$file"
