# Substitutes for drivers in tests, in a folder of their own for LD_LIBRARY_PATH (test/substitute-driver). They have no
# sanitizers, so that a build with sanitizers takes those of another build.
if(FRAMEWRIGHT_SANITIZE)
  return()
endif()
set(SUBSTITUTE_DIR ${CMAKE_CURRENT_SOURCE_DIR}/../test/substitute-driver)
file(GLOB SUBSTITUTE_SOURCES CONFIGURE_DEPENDS ${SUBSTITUTE_DIR}/*.cc ${SUBSTITUTE_DIR}/codec/*.cc)
if(NOT FRAMEWRIGHT_HAS_VULKAN OR NOT SUBSTITUTE_SOURCES)
  return()
endif()

add_custom_target(substitute_drivers)
add_dependencies(native_tests substitute_drivers)

function(add_substitute name)
  add_library(${name} SHARED ${ARGN})
  target_include_directories(${name} PRIVATE ${SUBSTITUTE_DIR})
  target_link_libraries(${name} PRIVATE PkgConfig::LIBAV PkgConfig::FFNVCODEC)
  # Programs that tests start load them, too, and those are not built with sanitizers.
  target_compile_options(${name} PRIVATE -O1 -Wno-missing-field-initializers -fno-sanitize=all)
  target_link_options(${name} PRIVATE -fno-sanitize=all)
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/substitute-driver)
  add_dependencies(substitute_drivers ${name})
endfunction()

# NVIDIA's: one library under the names that libav opens.
add_substitute(substitute_driver ${SUBSTITUTE_SOURCES})
target_link_libraries(substitute_driver PRIVATE vulkan x264)
set_target_properties(substitute_driver PROPERTIES OUTPUT_NAME cuda SOVERSION 1)
foreach(name libnvidia-encode libnvcuvid)
  add_custom_command(TARGET substitute_driver POST_BUILD COMMAND ${CMAKE_COMMAND} -E create_symlink
    libcuda.so.1 ${CMAKE_BINARY_DIR}/substitute-driver/${name}.so.1)
endforeach()

# A Vulkan layer, with its manifest.
file(GLOB LAYER_SOURCES CONFIGURE_DEPENDS ${SUBSTITUTE_DIR}/vulkan/*.cc)
add_substitute(substitute_layer ${LAYER_SOURCES} ${SUBSTITUTE_DIR}/faults.cc)
set_target_properties(substitute_layer PROPERTIES OUTPUT_NAME VkLayer_substitute)
configure_file(${SUBSTITUTE_DIR}/vulkan/substitute_layer.json ${CMAKE_BINARY_DIR}/substitute-driver/substitute_layer.json COPYONLY)

# VAAPI's: a driver that libva opens, and libva's library that opens DRM devices.
find_path(VA_HEADERS va/va_backend.h)
if(VA_HEADERS)
  file(GLOB VAAPI_SOURCES CONFIGURE_DEPENDS ${SUBSTITUTE_DIR}/vaapi/*.cc ${SUBSTITUTE_DIR}/codec/*.cc)
  list(FILTER VAAPI_SOURCES EXCLUDE REGEX "va_drm\\.cc$")
  add_substitute(substitute_drv_video ${VAAPI_SOURCES} ${SUBSTITUTE_DIR}/faults.cc ${SUBSTITUTE_DIR}/importer.cc)
  target_link_libraries(substitute_drv_video PRIVATE vulkan)
  set_target_properties(substitute_drv_video PROPERTIES PREFIX "")
  add_substitute(substitute_va_drm ${SUBSTITUTE_DIR}/vaapi/va_drm.cc)
  target_link_libraries(substitute_va_drm PRIVATE va)
  set_target_properties(substitute_va_drm PROPERTIES OUTPUT_NAME va-drm SOVERSION 2)
endif()
