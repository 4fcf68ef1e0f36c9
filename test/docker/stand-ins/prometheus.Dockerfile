# Stands in for prom/prometheus where no registry answers: Debian's package.
FROM node:26-bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends prometheus && rm -rf /var/lib/apt/lists/*
