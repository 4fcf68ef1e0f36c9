memcached &
for server in account container object; do swift-$server-server /etc/swift/$server-server.conf & done
exec swift-proxy-server /etc/swift/proxy-server.conf
