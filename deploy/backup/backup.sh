#!/bin/sh
# Backs up the compose stack with `marketctl backup create` and keeps the newest files.
#
#   deploy/backup/backup.sh [FOLDER]      default: ./backups; KEEP=14 files stay
#
# The site may serve people meanwhile. The file is complete and verified, or it is not there. Prints its name.
set -eu
umask 077
folder=${1:-backups}
mkdir -p "$folder"
name=tradepost-$(date -u +%Y%m%dT%H%M%SZ).tar

. "$(dirname "$0")/marketctl.sh"
marketctl backup create --out "/backups/$name" >/dev/null
if ! marketctl backup verify "/backups/$name" >/dev/null; then
  rm -f "$folder/$name"
  exit 1
fi

find "$folder" -name 'tradepost-*.tar' | sort -r | tail -n +"$((${KEEP:-14} + 1))" | while read -r old; do rm -f "$old"; done
echo "$folder/$name"
