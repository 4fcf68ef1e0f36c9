# For backup.sh and restore.sh, which set $folder: marketctl in a container of its own, with that folder as /backups.
# It runs as the folder's owner, so that it can write there and the files belong to that user.
folder_path=$(cd "$folder" && pwd)
folder_owner=$(ls -nd "$folder" | awk '{ print $3 }')
marketctl() {
  docker compose run --rm --no-deps -T --user "$folder_owner:0" --volume "$folder_path:/backups" app \
    marketctl --quiet "$@" </dev/null
}
