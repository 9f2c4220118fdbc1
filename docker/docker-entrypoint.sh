#!/bin/sh
# The entry point of the image: runs `virga serve`, or the given command. It takes its settings from the environment. Testcontainers' LocalStack
# module for Java starts a file of this name.
: "${VIRGA_CONTROL_TOKEN:?choose one: --env VIRGA_CONTROL_TOKEN=…}"
[ $# -gt 0 ] || set -- serve
exec virga "$@"
