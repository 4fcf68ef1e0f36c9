#!/usr/bin/env bash
# Starts a Kubernetes on this machine, without a container registry: the programs are built from the published Go
# modules (test/cluster/node), the rest comes from Debian's packages. Run as root. test/cluster/README.md has the details.
#
#   single-node.sh start           builds what is not in the cache, starts the cluster, prints the lines of `env`
#   single-node.sh load IMAGE…     copies images of the Docker engine to the nodes
#   single-node.sh env             prints PATH and KUBECONFIG for a shell
#   single-node.sh stop            ends the cluster and removes all of it but the cache
#
# NODES=1: without the second node, to which a drained node's pods move.
# NODES=0: the control plane alone, which is enough for api-server.check.ts.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
VERSION=$(awk '$1 == "k8s.io/kubernetes" { print $2 }' "$HERE/node/go.mod")
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/tradepost-cluster
BIN=$CACHE/$(cat "$HERE"/node/go.sum "$HERE"/node/*/*.go | sha256sum | cut -c1-12)
STATE=/var/lib/tradepost-cluster
RUN=/run/tradepost-cluster
CGROUP=tradepost-cluster
PKI=$STATE/pki
ETCD=http://127.0.0.1:23790
PODS=10.244.0.0/16
SERVICES=10.96.0.0/16
DNS=10.96.0.10
NODES=${NODES:-2}
export KUBECONFIG=$STATE/admin.kubeconfig

die() { echo "single-node: $*" >&2; exit 1; }
note() { echo "single-node: $*" >&2; }
kubectl() { "$BIN/kubectl" "$@"; }
node_names() { seq -f 'node-%.0f' "$NODES"; }

# ---- programs

packages() {
  local missing=()
  command -v etcd >/dev/null || missing+=(etcd-server)
  command -v containerd >/dev/null || missing+=(containerd)
  command -v runc >/dev/null || missing+=(runc)
  command -v iptables >/dev/null || missing+=(iptables)
  command -v conntrack >/dev/null || missing+=(conntrack)
  [ -x /usr/lib/cni/bridge ] || missing+=(containernetworking-plugins)
  [ ${#missing[@]} = 0 ] && return
  note "installing ${missing[*]}"
  { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >/dev/null
}

build() {
  [ -x "$BIN/kubelet" ] && return
  command -v go >/dev/null || die "no Go here, and no built programs in $BIN"
  note "building Kubernetes $VERSION into $BIN (ten minutes on two cores the first time)"
  local into=$BIN.new version=k8s.io/component-base/version
  rm -rf "$into" && mkdir -p "$into"
  (cd "$HERE/node" && CGO_ENABLED=0 nice -n 15 go build -p "${BUILD_JOBS:-2}" -trimpath -buildvcs=false -o "$into/" \
    -ldflags "-s -w -X $version.gitVersion=$VERSION -X $version.gitMajor=1 -X $version.gitMinor=$(cut -d. -f2 <<<"$VERSION")" \
    ./pause ./kube ./coredns ./policy)
  for name in kube-apiserver kube-controller-manager kube-scheduler kubelet kube-proxy kubectl; do ln -s kube "$into/$name"; done
  rm -rf "$BIN" && mv "$into" "$BIN"
}

# ---- processes

launch() { # launch NAME PROGRAM ARGUMENT…: in the background, logging to a file
  local name=$1
  shift
  setsid nohup "$@" </dev/null >"$STATE/logs/$name.log" 2>&1 &
  echo $! >"$RUN/$name.pid"
}

until_true() { # until_true WHAT SECONDS COMMAND…
  local what=$1 seconds=$2
  shift 2
  for _ in $(seq $((seconds * 2))); do "$@" >/dev/null 2>&1 && return; sleep 0.5; done
  tail -n 15 "$STATE"/logs/*.log >&2
  die "$what: not within $seconds seconds; the logs are in $STATE/logs"
}

# ---- certificates and kubeconfigs

certificate() { # certificate FILE SUBJECT EXTENSION…
  local file=$PKI/$1 subject=$2
  shift 2
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$file.key" -subj "$subject" -out "$file.csr" 2>/dev/null
  openssl x509 -req -in "$file.csr" -CA "$PKI/ca.crt" -CAkey "$PKI/ca.key" -CAcreateserial -days 365 \
    -extfile <(printf '%s\n' 'keyUsage=digitalSignature' "$@") -out "$file.crt" 2>/dev/null
}

kubeconfig() { # kubeconfig FILE CERTIFICATE
  local file=$STATE/$1.kubeconfig
  cat >"$file" <<YAML
apiVersion: v1
kind: Config
clusters: [{name: single-node, cluster: {server: "https://$ADDRESS:6443", certificate-authority: $PKI/ca.crt}}]
users: [{name: user, user: {client-certificate: $PKI/$2.crt, client-key: $PKI/$2.key}}]
contexts: [{name: single-node, context: {cluster: single-node, user: user}}]
current-context: single-node
YAML
  chmod 600 "$file"
}

certificates() {
  mkdir -p -m 700 "$PKI"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$PKI/ca.key" -subj /CN=single-node \
    -days 365 -out "$PKI/ca.crt" 2>/dev/null
  openssl genrsa -out "$PKI/service-accounts.key" 2048 2>/dev/null
  local client=extendedKeyUsage=clientAuth name
  certificate apiserver /CN=kube-apiserver extendedKeyUsage=serverAuth \
    "subjectAltName=DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local,IP:10.96.0.1,IP:127.0.0.1,IP:$ADDRESS"
  certificate admin /O=system:masters/CN=admin $client
  certificate apiserver-kubelet /O=system:masters/CN=kube-apiserver-kubelet $client
  for name in kube-controller-manager kube-scheduler kube-proxy; do
    certificate $name "/CN=system:$name" $client
    kubeconfig $name $name
  done
  for name in $(node_names); do
    certificate "$name" "/O=system:nodes/CN=system:node:$name" $client
    kubeconfig "$name" "$name"
  done
  kubeconfig admin admin
}

# ---- the control plane

control_plane() {
  launch etcd etcd --name single --data-dir "$STATE/etcd" --listen-client-urls $ETCD --advertise-client-urls $ETCD \
    --listen-peer-urls http://127.0.0.1:23800 --initial-advertise-peer-urls http://127.0.0.1:23800 \
    --initial-cluster single=http://127.0.0.1:23800 --logger zap
  launch kube-apiserver "$BIN/kube-apiserver" --etcd-servers=$ETCD --bind-address="$ADDRESS" --advertise-address="$ADDRESS" \
    --service-cluster-ip-range=$SERVICES --authorization-mode=Node,RBAC --enable-admission-plugins=NodeRestriction \
    --client-ca-file="$PKI/ca.crt" --tls-cert-file="$PKI/apiserver.crt" --tls-private-key-file="$PKI/apiserver.key" \
    --kubelet-client-certificate="$PKI/apiserver-kubelet.crt" --kubelet-client-key="$PKI/apiserver-kubelet.key" \
    --kubelet-preferred-address-types=InternalIP --service-account-issuer=https://kubernetes.default.svc.cluster.local \
    --service-account-key-file="$PKI/service-accounts.key" --service-account-signing-key-file="$PKI/service-accounts.key"
  until_true "the API server" 120 kubectl get --raw /readyz
  launch kube-controller-manager "$BIN/kube-controller-manager" --kubeconfig="$STATE/kube-controller-manager.kubeconfig" \
    --use-service-account-credentials --service-account-private-key-file="$PKI/service-accounts.key" \
    --root-ca-file="$PKI/ca.crt" --cluster-signing-cert-file="$PKI/ca.crt" --cluster-signing-key-file="$PKI/ca.key" --leader-elect=false
  launch kube-scheduler "$BIN/kube-scheduler" --kubeconfig="$STATE/kube-scheduler.kubeconfig" --leader-elect=false
}

# ---- a node

containerd_config() { # containerd_config NAME
  cat <<TOML
version = 2
root = "$STATE/$1/containerd"
state = "$RUN/$1/containerd"
disabled_plugins = ["io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.devmapper"]
[grpc]
  address = "$RUN/$1/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "docker.io/single-node/pause:1"
  netns_mounts_under_state_dir = true
  # A machine may not allow root to lower it.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "$STATE/$1/cni"
TOML
}

cni_config() { # cni_config NUMBER
  cat <<JSON
{"cniVersion": "0.4.0", "name": "single-node-$1", "plugins": [
  {"type": "bridge", "bridge": "tradepost-$1", "isGateway": true, "hairpinMode": true, "ipam": {"type": "host-local",
   "dataDir": "$STATE/node-$1/addresses", "ranges": [[{"subnet": "10.244.$1.0/24"}]], "routes": [{"dst": "0.0.0.0/0"}]}},
  {"type": "portmap", "capabilities": {"portMappings": true}},
  {"type": "firewall", "backend": "iptables"}
]}
JSON
}

kubelet_config() { # kubelet_config NAME NUMBER
  cat <<YAML
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: {anonymous: {enabled: false}, webhook: {enabled: true}, x509: {clientCAFile: $PKI/ca.crt}}
authorization: {mode: Webhook}
port: $((10250 + 10 * ($2 - 1)))
healthzPort: $((10248 + 10 * ($2 - 1)))
containerRuntimeEndpoint: unix://$RUN/$1/containerd.sock
cgroupDriver: cgroupfs
cgroupRoot: /$CGROUP/$1
failCgroupV1: false
failSwapOn: false
makeIPTablesUtilChains: false
clusterDNS: [$DNS]
clusterDomain: cluster.local
podLogsDir: $STATE/$1/pod-logs
volumePluginDir: $STATE/$1/volume-plugins
# The disk belongs to others too: a full one must not evict pods or remove images.
evictionHard: {memory.available: 100Mi, nodefs.available: 1%, imagefs.available: 1%}
imageGCHighThresholdPercent: 100
YAML
}

cgroups() { # cgroups NAME: the node's root in each hierarchy
  local root
  if [ -f /sys/fs/cgroup/cgroup.controllers ]; then set -- /sys/fs/cgroup/ "$1"; else set -- "$(echo /sys/fs/cgroup/*/)" "$1"; fi
  for root in $1; do mkdir -p "$root$CGROUP/$2"; done
  # As much as the pods of a machine of two cores have elsewhere.
  [ ! -e /sys/fs/cgroup/cpu/$CGROUP/cpu.shares ] || echo 2048 >/sys/fs/cgroup/cpu/$CGROUP/cpu.shares
}

start_node() { # start_node NUMBER
  local name=node-$1 home=$STATE/node-$1
  mkdir -p "$home/cni" "$RUN/$name"
  containerd_config "$name" >"$home/containerd.toml"
  cni_config "$1" >"$home/cni/10-bridge.conflist"
  kubelet_config "$name" "$1" >"$home/kubelet.yaml"
  cgroups "$name"
  launch "containerd-$1" containerd --config "$home/containerd.toml"
  until_true "containerd of $name" 30 ctr --address "$RUN/$name/containerd.sock" version
  for image in pause coredns; do program_image $image | ctr_of "$name" images import - >/dev/null; done
  launch "kubelet-$1" "$BIN/kubelet" --config="$home/kubelet.yaml" --root-dir="$home/kubelet" --cert-dir="$home/pki" \
    --hostname-override="$name" --node-ip="$ADDRESS" --kubeconfig="$STATE/$name.kubeconfig"
}

ctr_of() { # ctr_of NODE ARGUMENT…
  local node=$1
  shift
  ctr --address "$RUN/$node/containerd.sock" --namespace k8s.io "$@"
}

program_image() { # program_image NAME: prints a docker archive of an image that is this one program
  local work
  work=$(mktemp -d)
  install -D "$BIN/$1" "$work/root/$1"
  tar -C "$work/root" -cf "$work/layer.tar" --owner=0 --group=0 .
  printf '{"architecture": "%s", "os": "linux", "config": {"Entrypoint": ["/%s"]}, "rootfs": {"type": "layers", "diff_ids": ["sha256:%s"]}}' \
    "$(go_arch)" "$1" "$(sha256sum "$work/layer.tar" | cut -d' ' -f1)" >"$work/config.json"
  printf '[{"Config": "config.json", "RepoTags": ["single-node/%s:1"], "Layers": ["layer.tar"]}]' "$1" >"$work/manifest.json"
  tar -C "$work" -cf - manifest.json config.json layer.tar
  rm -rf "$work"
}

go_arch() { case $(uname -m) in x86_64) echo amd64 ;; aarch64) echo arm64 ;; *) uname -m ;; esac; }

# ---- what every cluster has

network() {
  sysctl -qw net.ipv4.ip_forward=1
  [ ! -e /proc/sys/net/bridge/bridge-nf-call-iptables ] || sysctl -qw net.bridge.bridge-nf-call-iptables=1
  iptables -t nat -A POSTROUTING -s $PODS ! -d $PODS -m comment --comment tradepost-cluster -j MASQUERADE
  cat >"$STATE/kube-proxy.yaml" <<YAML
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
clientConnection: {kubeconfig: $STATE/kube-proxy.kubeconfig}
mode: iptables
clusterCIDR: $PODS
hostnameOverride: node-1
# The limits of connection tracking are the machine's own.
conntrack: {maxPerCore: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
YAML
  launch kube-proxy "$BIN/kube-proxy" --config="$STATE/kube-proxy.yaml"
}

volumes() { # 20 folders, which every node of this machine sees
  local i
  echo '{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: folders, annotations: {storageclass.kubernetes.io/is-default-class: "true"}},
    provisioner: kubernetes.io/no-provisioner, volumeBindingMode: WaitForFirstConsumer}'
  for i in $(seq 20); do
    mkdir -p "$STATE/volumes/$i"
    echo "---
{apiVersion: v1, kind: PersistentVolume, metadata: {name: folder-$i}, spec: {capacity: {storage: 100Gi}, accessModes: [ReadWriteOnce, ReadWriteMany],
  storageClassName: folders, persistentVolumeReclaimPolicy: Retain, local: {path: $STATE/volumes/$i},
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/os, operator: In, values: [linux]}]}]}}}}"
  done
}

start() {
  [ "$(id -u)" = 0 ] || die "run it as root"
  [ ! -e "$RUN/etcd.pid" ] || die "a cluster is here already: single-node.sh stop removes it"
  packages
  build
  ADDRESS=$(ip -4 route get 192.0.2.255 2>/dev/null | sed -n 's/.* src \([0-9.]*\).*/\1/p')
  [ -n "$ADDRESS" ] || die "this machine has no address but the loopback's"
  rm -rf "$STATE" && mkdir -p "$STATE/logs" "$RUN"
  certificates
  control_plane
  if [ "$NODES" = 0 ]; then print_env; return; fi
  for number in $(seq "$NODES"); do start_node "$number"; done
  network
  volumes | kubectl apply -f - >/dev/null
  sed "s/CLUSTER_DNS/$DNS/" "$HERE/coredns.yaml" | kubectl apply -f - >/dev/null
  for name in $(node_names); do until_true "$name" 120 kubectl get node "$name"; done
  kubectl wait --for=condition=Ready nodes --all --timeout=180s >&2
  kubectl --namespace kube-system rollout status deployment/coredns --timeout=180s >&2
  launch policy "$BIN/policy" "$KUBECONFIG"
  print_env
}

print_env() {
  echo "export PATH=$BIN:\$PATH"
  echo "export KUBECONFIG=$KUBECONFIG"
}

load() {
  local archive node
  archive=$(mktemp)
  docker save --output "$archive" "$@"
  for node in "$RUN"/node-*; do ctr_of "$(basename "$node")" images import "$archive"; done
  rm -f "$archive"
}

# ---- the end

stop() {
  local file pid
  # Kubelets first, so that none starts a container again.
  for file in "$RUN"/kubelet-*.pid "$RUN"/[!k]*.pid "$RUN"/kube-*.pid; do
    [ -e "$file" ] || continue
    pid=$(cat "$file")
    case $(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" || true) in *tradepost-cluster*) kill -9 "$pid" ;; esac
  done
  # Containers, then their shims, which carry the path of their containerd.
  find /sys/fs/cgroup -path "*/$CGROUP/*" -name cgroup.procs -exec cat {} + 2>/dev/null | sort -u | xargs -r kill -9 2>/dev/null || true
  for file in /proc/[0-9]*; do
    case $(tr '\0' ' ' 2>/dev/null <"$file/cmdline" || true) in *containerd-shim*"$RUN"/*) kill -9 "${file#/proc/}" ;; esac
  done
  sleep 1
  awk -v a="$STATE/" -v b="$RUN/" 'index($2, a) == 1 || index($2, b) == 1 { print $2 }' /proc/mounts | sort -r | xargs -r -n 1 umount -l || true
  for file in $(ip -o link show type bridge | grep -o 'tradepost-[0-9]*'); do ip link delete "$file"; done
  [ ! -x "$BIN/kube-proxy" ] || "$BIN/kube-proxy" --cleanup >/dev/null 2>&1 || true
  remove_rules
  find /sys/fs/cgroup -depth -type d -path "*/$CGROUP*" -exec rmdir {} + 2>/dev/null || true
  rm -rf "$STATE" "$RUN"
}

remove_rules() { # those of the kubelet, of the CNI plugins, and ours
  local table chain
  for table in filter nat; do
    iptables-save -t $table | sed -nE '/^-A (INPUT|FORWARD|PREROUTING|OUTPUT|POSTROUTING) .*(-j (CNI|KUBE)-|tradepost-cluster)/s/^-A/-D/p' |
      while read -r rule; do eval "iptables -t $table $rule"; done
    for chain in $(own_chains $table); do iptables -t $table -F "$chain"; done
    for chain in $(own_chains $table); do iptables -t $table -X "$chain"; done
  done
}

own_chains() { iptables-save -t "$1" | sed -nE 's/^:((CNI|KUBE|POLICY)-[^ ]*).*/\1/p'; }

case ${1:-} in
  start) start ;;
  load) shift; [ $# -gt 0 ] || die "name the images"; load "$@" ;;
  env) print_env ;;
  stop) stop ;;
  *) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
