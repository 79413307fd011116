# FRAMEWRIGHT_COVERAGE counts the executed lines of the code for graphics devices and builds the tests of that code only
# (test/coverage.mjs). All other code is compiled as usual.
option(FRAMEWRIGHT_COVERAGE "Count executed lines of the code for graphics devices" OFF)
if(NOT FRAMEWRIGHT_COVERAGE)
  return()
endif()

file(GLOB_RECURSE COUNTED CONFIGURE_DEPENDS libav/hardware/*.cc vulkan/*.cc compositor/vulkan/*.cc devices/*.cc)
list(APPEND COUNTED libav/encode/video/nvenc.cc libav/encode/video/vaapi.cc libav/encode/video/encoder_devices.cc
  libav/encode/video/encoder_probe.cc libav/encode/video/frame_input.cc libav/encode/video/open_encoder.cc render/interop_probe.cc)
# Sources with options of their own are compiled alone in unity builds, too.
set_source_files_properties(${COUNTED} PROPERTIES COMPILE_OPTIONS "--coverage;-O0")
add_link_options(--coverage)
list(FILTER TEST_SOURCES INCLUDE REGEX
  "/test/native/(test_main|vulkan/|devices/|libav/(media_fixture|hardware|encoder_families)|render/encoder_slots)")
