# Stands in for caddy:2 where no registry answers: Debian's package.
FROM node:26-bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends caddy && rm -rf /var/lib/apt/lists/*
ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
