#!/bin/sh
# Writes .env and the secrets that docker-compose.yml reads. Overwrites nothing, so it may run again.
#
#   deploy/compose/init.sh https://market.example.com
#
# The currency, the languages and the app's id and secret at X are asked for on a terminal, or taken from CURRENCY, LOCALES, X_CLIENT_ID and
# X_CLIENT_SECRET.
set -eu
cd "$(dirname "$0")/../.."
secrets=deploy/compose/secrets

random_hex() { od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n'; }

# ask VARIABLE QUESTION: keeps what is set, asks on a terminal, else leaves it empty.
ask() {
  eval "answer=\${$1:-}"
  if [ -z "$answer" ] && [ -t 0 ]; then
    printf '%s: ' "$2" >&2
    case $1 in *SECRET) stty -echo ;; esac
    read -r answer
    case $1 in *SECRET) stty echo; echo >&2 ;; esac
  fi
  eval "$1=\$answer"
}

# keep FILE CONTENT: writes a secret unless it is there.
keep() {
  if [ -s "$secrets/$1" ]; then echo "kept  $secrets/$1"; return; fi
  printf '%s' "$2" >"$secrets/$1"
  # Readable by the container's user, whose number differs from yours; the folder keeps everybody else out.
  chmod 0444 "$secrets/$1"
  echo "wrote $secrets/$1"
}

mkdir -p "$secrets"
chmod 0700 "$secrets"

PUBLIC_URL=${1:-${PUBLIC_URL:-}}
if [ ! -f .env ]; then
  ask PUBLIC_URL 'The address people will type, such as https://market.example.com'
  case $PUBLIC_URL in http://?* | https://?*) ;; *)
    echo "Say where the marketplace will be: $0 https://market.example.com" >&2
    exit 2 ;;
  esac
  ask CURRENCY 'Currency of all prices, such as EUR (empty: USD)'
  CURRENCY=$(printf '%s' "${CURRENCY:-USD}" | tr '[:lower:]' '[:upper:]')
  case $CURRENCY in [A-Z][A-Z][A-Z]) ;; *)
    echo "$CURRENCY is no currency: write its three letters of ISO 4217, such as EUR" >&2
    exit 2 ;;
  esac
  ask LOCALES 'Languages of the site, its own first, of en,de,fr,es,pt-BR,ja,ar (empty: en)'
  ask X_CLIENT_ID 'Client id of your app at X'
  cat >.env <<END
# Settings of docker-compose.yml; docs/CONFIGURATION.md lists all that may stand here. Secrets are files in $secrets.
PUBLIC_URL=$PUBLIC_URL
CURRENCY=$CURRENCY
LOCALES=${LOCALES:-en}
X_CLIENT_ID=$X_CLIENT_ID
SECRETS_DIR=./$secrets
# One reverse proxy in front; 0 where people reach the port directly.
TRUST_PROXY_HOPS=1
END
  echo 'wrote .env'
else
  echo 'kept  .env'
fi

keep postgres_password "$(random_hex)"
keep database_url "postgresql://tradepost:$(cat $secrets/postgres_password)@db:5432/tradepost"
keep session_keys "$(random_hex)"
keep token_enc_key "$(random_hex)"
if [ ! -s "$secrets/x_client_secret" ]; then
  ask X_CLIENT_SECRET 'Client secret of your app at X'
  if [ -n "$X_CLIENT_SECRET" ]; then
    keep x_client_secret "$X_CLIENT_SECRET"
  else
    echo "Still missing: put your app's client secret at X into $secrets/x_client_secret" >&2
    exit 1
  fi
fi
echo 'Next: docker compose up -d --wait'
