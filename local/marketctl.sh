#!/bin/sh
# The checkout's marketctl (`npx marketctl …`): on the pinned Node, whatever Node the machine has.
here=$(dirname "$(realpath "$0")")
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$here/../.cache/node}"
exec "$here/../node_modules/.bin/node" "$here/marketctl.ts" "$@"
