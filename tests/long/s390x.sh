#!/usr/bin/env bash
# IBM Z: no vector kernel, and big-endian.
exec "$(dirname "${BASH_SOURCE[0]}")/cross.sh" s390x
