# A toolchain file: for IBM Z, which is big-endian, with Debian's cross-compiler; programs run
# through qemu.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
