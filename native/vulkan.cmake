# The Vulkan backend: requires Vulkan's headers and glslc at build time and links nothing. Without them the backend
# is omitted and reports the reason.
find_program(GLSLC glslc)
find_path(VULKAN_HEADERS vulkan/vulkan_core.h)
set(VULKAN_LEFT_OUT "")
if(NOT VULKAN_HEADERS)
  set(VULKAN_LEFT_OUT "the build had no Vulkan headers (libvulkan-dev)")
elseif(NOT GLSLC)
  set(VULKAN_LEFT_OUT "the build had no shader compiler (glslc)")
endif()

if(VULKAN_LEFT_OUT AND FRAMEWRIGHT_GPU_CHECK_ONLY)
  message(FATAL_ERROR "gpu_check cannot be built: ${VULKAN_LEFT_OUT}")
elseif(VULKAN_LEFT_OUT)
  message(STATUS "Composing on graphics devices is left out: ${VULKAN_LEFT_OUT}")
  target_compile_definitions(framewright_compositor PRIVATE FRAMEWRIGHT_VULKAN_LEFT_OUT="${VULKAN_LEFT_OUT}")
  return()
endif()

set(SHADER_DIR ${CMAKE_CURRENT_SOURCE_DIR}/compositor/vulkan/shaders)
file(GLOB_RECURSE SHADER_PARTS CONFIGURE_DEPENDS ${SHADER_DIR}/*.glsl ${SHADER_DIR}/*.h)
file(GLOB_RECURSE SHADERS CONFIGURE_DEPENDS ${SHADER_DIR}/*.comp)
# shader_list.h says which shaders are for samples of bytes, which for samples of 16 bits, and which for both.
set(SHADER_LIST ${CMAKE_CURRENT_SOURCE_DIR}/compositor/vulkan/device/shader_list.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${SHADER_LIST})
file(STRINGS ${SHADER_LIST} SHADER_ENTRIES REGEX "^FRAMEWRIGHT_")
set(SHADER_SOURCES "")

# Compiles a shader to the array k_NAME.
function(add_shader name shader)
  set(words ${CMAKE_CURRENT_BINARY_DIR}/generated/shaders/${name}.inc)
  add_custom_command(OUTPUT ${words}
    COMMAND ${GLSLC} --target-env=vulkan1.1 -I${SHADER_DIR} ${ARGN} -O -mfmt=c -o ${words} ${shader}
    DEPENDS ${shader} ${SHADER_PARTS} VERBATIM)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/generated/shaders/${name}.cc)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT "#include <cstddef>
#include <cstdint>
namespace framewright::gpu {
extern const uint32_t k_${name}[] =
#include \"${words}\"
    ;
extern const size_t k_${name}_bytes = sizeof k_${name};
}  // namespace framewright::gpu
")
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS ${words})
  set(SHADER_SOURCES ${SHADER_SOURCES} ${source} PARENT_SCOPE)
endfunction()

foreach(shader ${SHADERS})
  get_filename_component(name ${shader} NAME_WE)
  if(NOT "FRAMEWRIGHT_DEEP_SHADER(${name})" IN_LIST SHADER_ENTRIES)
    add_shader(${name} ${shader})
  endif()
  if(NOT "FRAMEWRIGHT_SHADER(${name})" IN_LIST SHADER_ENTRIES)
    add_shader(deep_${name} ${shader} -DFRAMEWRIGHT_DEEP)
  endif()
endforeach()

file(GLOB_RECURSE VULKAN_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/vulkan/*.cc ${CMAKE_CURRENT_SOURCE_DIR}/compositor/vulkan/*.cc)
target_sources(framewright_compositor PRIVATE ${VULKAN_SOURCES} ${SHADER_SOURCES})
target_include_directories(framewright_compositor PUBLIC ${VULKAN_HEADERS})
set(FRAMEWRIGHT_HAS_VULKAN ON)

# ninja gpu_check (with -DFRAMEWRIGHT_GPU_CHECK_ONLY=ON, without libav): checks and times the drawing of this host's graphics devices.
file(GLOB GPU_CHECK_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/gpu_check/*.cc)
list(FILTER GPU_CHECK_SOURCES EXCLUDE REGEX "main\\.cc$")
if(FRAMEWRIGHT_GPU_CHECK_ONLY)
  list(FILTER GPU_CHECK_SOURCES EXCLUDE REGEX "(decode|encode|render)_streams\\.cc$")
endif()
add_library(framewright_gpu_check STATIC EXCLUDE_FROM_ALL ${GPU_CHECK_SOURCES})
target_link_libraries(framewright_gpu_check PUBLIC framewright_compositor)
if(NOT FRAMEWRIGHT_GPU_CHECK_ONLY)
  target_compile_definitions(framewright_gpu_check PRIVATE FRAMEWRIGHT_GPU_CHECK_WITH_LIBAV)
  target_link_libraries(framewright_gpu_check PUBLIC framewright_engine)
endif()
if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/gpu_check/main.cc)
  add_executable(gpu_check EXCLUDE_FROM_ALL gpu_check/main.cc)
  target_link_libraries(gpu_check PRIVATE framewright_gpu_check)
  # Runs on other hosts with libhwy.so.1 in the same folder.
  set_target_properties(gpu_check PROPERTIES BUILD_RPATH "$ORIGIN")
  # With libav it is a program of `framewright bench gpu`.
  if(NOT FRAMEWRIGHT_GPU_CHECK_ONLY)
    set_target_properties(gpu_check PROPERTIES EXCLUDE_FROM_ALL OFF OUTPUT_NAME framewright-gpu-check
      RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/Release)
  endif()
endif()
