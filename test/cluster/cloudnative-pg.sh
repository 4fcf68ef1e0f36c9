#!/usr/bin/env bash
# Installs the operator CloudNativePG in the cluster of single-node.sh, without a container registry: builds the operator
# from its published Go module, and its image and PgBouncer's under the names that it expects.
# The images come from the Docker engine; PgBouncer's is made of POSTGRES_IMAGE (postgres:17).
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
MODULE=github.com/cloudnative-pg/cloudnative-pg
VERSION=1.27.0
CHECKSUM=h1:mp0zlYO4vKAJmQdArWORWKr1lmB4Hj8JeBQGX5RBnpg=
OPERATOR=ghcr.io/cloudnative-pg/cloudnative-pg:$VERSION
PGBOUNCER=ghcr.io/cloudnative-pg/pgbouncer:1.24.1
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/tradepost-cluster/cloudnative-pg-$VERSION

die() { echo "cloudnative-pg: $*" >&2; exit 1; }
note() { echo "cloudnative-pg: $*" >&2; }
field() { sed -nE "s/^\s*\"$1\": \"(.*)\",?$/\1/p" <<<"$module"; }

module=$(GOFLAGS=-mod=mod go mod download -json "$MODULE@v$VERSION")
[ "$(field Sum)" = $CHECKSUM ] || die "the module's checksum is $(field Sum), not $CHECKSUM"
source=$(field Dir)

operator=$CACHE/image/operator/manager_$(go env GOARCH)
if [ ! -x "$operator" ]; then
  note "building the operator (several minutes on two cores)"
  (cd "$source" && CGO_ENABLED=0 nice -n 15 go build -p "${BUILD_JOBS:-2}" -trimpath -buildvcs=false -o "$operator" \
    -ldflags "-s -w -X $MODULE/pkg/versions.buildVersion=$VERSION" ./cmd/manager)
  ln -sf "operator/$(basename "$operator")" "$CACHE/image/manager"
fi

docker build --quiet --tag $OPERATOR --file - "$CACHE/image" <<'DOCKERFILE' >/dev/null
FROM scratch
WORKDIR /
COPY . /
USER 65532:65532
ENTRYPOINT ["/manager"]
DOCKERFILE
docker build --quiet --tag $PGBOUNCER --build-arg "BASE=${POSTGRES_IMAGE:-postgres:17}" - <<'DOCKERFILE' >/dev/null
ARG BASE
FROM $BASE
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends pgbouncer && ln -s ../sbin/pgbouncer /usr/bin/pgbouncer
DOCKERFILE
"$HERE/single-node.sh" load $OPERATOR $PGBOUNCER

sed 's/imagePullPolicy: Always/imagePullPolicy: IfNotPresent/' "$source/releases/cnpg-$VERSION.yaml" |
  kubectl apply --server-side --filename - >/dev/null
kubectl --namespace cnpg-system rollout status deployment/cnpg-controller-manager --timeout=3m >&2
