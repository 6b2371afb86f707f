# Filters on GPUs are a separate library, so that other programs do not need CUDA. It is installed only if it was built
# with CUDA; for the tests it is also built without: the processor can stand in for a GPU. Compiling kernels takes
# minutes, so a larger project has to ask for it.
set(bloomery_gpu_default OFF)
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CROSSCOMPILING AND NOT BLOOMERY_SANITIZE)
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(bloomery_gpu_default ON)
  endif()
endif()
option(BLOOMERY_GPU "Build the library for filters on GPUs (CUDA: nvcc)" ${bloomery_gpu_default})
if(NOT BLOOMERY_GPU AND (CMAKE_CROSSCOMPILING OR NOT BLOOMERY_BUILD_TESTS))
  return()
endif()

file(GLOB bloomery_gpu_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/gpu/*.cpp)
if(BLOOMERY_GPU)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    # Turing, Ampere and Hopper; the driver compiles for what is newer.
    set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 90)
  endif()
  enable_language(CUDA)
  list(FILTER bloomery_gpu_sources EXCLUDE REGEX "/no_cuda\\.cpp$")
  file(GLOB bloomery_gpu_kernels CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/gpu/cuda/*.cu)
endif()
add_library(bloomery_gpu ${bloomery_gpu_sources} ${bloomery_gpu_kernels})
bloomery_side_library(gpu)
bloomery_in_batches(bloomery_gpu 15)
target_link_libraries(bloomery_gpu
  PUBLIC bloomery
  PRIVATE Threads::Threads $<BUILD_INTERFACE:bloomery_own_flags>)
if(BLOOMERY_GPU)
  # The runtime is linked in, so programs need only the driver. For those that use the installed library,
  # bloomery-config.cmake finds it: find_package(CUDAToolkit) of CMake 3.25 fails with CUDA 13.
  set_target_properties(bloomery_gpu PROPERTIES CUDA_RUNTIME_LIBRARY Static CUDA_VISIBILITY_PRESET hidden)
  target_link_libraries(bloomery_gpu PRIVATE $<INSTALL_INTERFACE:bloomery_cudart>)
  # CMake 3.25 does not know that nvcc has C++20. The warning is about a conversion that is there for other types.
  target_compile_options(bloomery_gpu PRIVATE
    "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;-diag-suppress=554>")
endif()
