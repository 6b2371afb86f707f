#!/usr/bin/env bash
# 64-bit ARM: the NEON kernel.
exec "$(dirname "${BASH_SOURCE[0]}")/cross.sh" aarch64
