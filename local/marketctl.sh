#!/bin/sh
# The checkout's marketctl (`npx marketctl …`): on the pinned Node, whatever Node the machine has.
here=$(dirname "$(realpath "$0")")
exec "$here/../node_modules/.bin/node" "$here/marketctl.ts" "$@"
