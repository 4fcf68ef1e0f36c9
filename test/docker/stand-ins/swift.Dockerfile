# An S3 server for the checks: OpenStack Swift with its S3 interface, all of it in one container. Bucket owner: admin:admin, secret "admin-secret".
FROM node:26-bookworm-slim
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
    memcached swift-proxy swift-account swift-container swift-object && rm -rf /var/lib/apt/lists/*
COPY swift /etc/swift
RUN cd /etc/swift && install -d -o swift -g swift /srv/node/d1 /var/cache/swift && \
    for server in account:6202 container:6201 object:6200; do \
      ring=${server%:*}.builder && swift-ring-builder $ring create 4 1 1 && \
      swift-ring-builder $ring add r1z1-127.0.0.1:${server#*:}/d1 1 && swift-ring-builder $ring rebalance || exit 1; \
    done && chown -R swift:swift /etc/swift
USER swift
EXPOSE 8080
CMD ["sh", "/etc/swift/run.sh"]
