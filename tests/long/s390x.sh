#!/usr/bin/env bash
# IBM Z: no vectors of ours, and the other byte order.
exec "$(dirname "${BASH_SOURCE[0]}")/cross.sh" s390x
